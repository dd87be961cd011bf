// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The flow of an instruction by its mnemonic.

#ifndef HANABI_HOST_PTX_FORM_FLOW_HPP
#define HANABI_HOST_PTX_FORM_FLOW_HPP

#include <hanabi/host/ptx/flow.hpp>
#include <hanabi/host/ptx/form.hpp>

#include <string_view>

namespace hanabi::host::ptx {

/// What most instructions of the form do; the decoder says otherwise for parts that it adds and for function parameters.
inline flow flow_of(const form& f) noexcept {
    const auto is = [&](std::string_view name) { return f.op == name; };
    const type t = f.of();
    const bool with_carry = f.has("cc");
    if (is("setp") || is("set")) return flow::compare;
    if (is("addc") || is("subc") || is("madc")) return with_carry ? flow::carry_through : flow::carry_in;
    if ((is("add") || is("sub") || is("mad")) && with_carry) return flow::carry_out;
    if (f.types.size() == 1) {
        if (t == type::f16x2 || t == type::bf16x2 || t == type::u16x2 || t == type::s16x2)
            if (!is("mma") && !is("atom") && !is("red") && !is("mov") && !is("setp")) return flow::halves;
        if (t == type::f32x2) return flow::words;
    }
    const bool whole = is_integer(t) && !f.sat && !f.has("hi") && !f.has("wide");
    if ((is("add") || is("sub") || is("neg") || is("mul") || is("mad")) && whole) return flow::sum;
    if (is("mov") || is("cvta") || is("not")) return flow::keep;
    if (is("shl") || is("shr") || is("bfe") || is("szext") || is("brev") || is("movmatrix")) return flow::move;
    if (is("cvt")) {
        const bool integers = f.types.size() == 2 && is_integer(f.of(0)) && is_integer(f.of(1));
        return integers && !f.sat && !f.has("pack") ? flow::move : flow::compute;
    }
    if (is("shf") || is("prmt") || is("bfi") || is("slct")) return flow::merge;
    if (is("selp")) return flow::choose;
    if (is("and")) return flow::bit_and;
    if (is("or")) return flow::bit_or;
    if (is("xor")) return flow::bit_xor;
    if (is("lop3")) return f.has("or") || f.has("and") ? flow::table_predicate : flow::table;
    if (is("ld") || is("ldu")) return flow::load;
    if (is("st")) return f.has("async") ? flow::async_store : flow::store;
    if (is("atom")) return flow::atomic;
    if (is("red")) return f.has("async") ? flow::async_store : flow::atomic;
    if (is("fence") || is("membar")) return flow::fence;
    if (is("mbarrier")) return flow::mbarrier;
    if (is("cp")) {
        if (f.has("mbarrier")) return flow::mbarrier;
        if (f.has("commit_group") || f.has("wait_group") || f.has("wait_all")) return flow::async_wait;
        if (f.has("prefetch")) return flow::nothing;
        return f.has("bulk") ? flow::bulk_copy : flow::async_copy;
    }
    if (is("shfl")) return flow::shuffle;
    if (is("vote")) return flow::vote;
    if (is("match")) return flow::match;
    if (is("redux")) return flow::reduce;
    if (is("elect") || is("activemask")) return flow::elect;
    if (is("ldmatrix")) return flow::load_matrix;
    if (is("stmatrix")) return flow::store_matrix;
    if (is("mma")) return flow::multiply;
    if (is("wmma")) return f.has("load") ? flow::load_fragment : f.has("store") ? flow::store_fragment : flow::multiply_fragments;
    if (is("bar") || is("barrier")) return flow::barrier;
    if (is("bra") || is("brx") || is("ret") || is("exit")) return flow::branch;
    if (is("call")) return flow::call;
    if (is("createpolicy")) return flow::special;
    if (is("trap") || is("nanosleep") || is("griddepcontrol") || is("prefetch") || is("prefetchu") || is("discard") ||
        is("applypriority") || is("brkpt") || is("pmevent") || is("setmaxnreg"))
        return flow::nothing;
    return flow::compute;
}

} // namespace hanabi::host::ptx

#endif
