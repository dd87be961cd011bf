// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Decodes control flow, calls, barriers, operations between lanes, asynchronous copies.

#ifndef HANABI_HOST_PTX_DECODE_CONTROL_HPP
#define HANABI_HOST_PTX_DECODE_CONTROL_HPP

#include <hanabi/host/ptx/async_copy.hpp>
#include <hanabi/host/ptx/barrier.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/runtime_call.hpp>
#include <hanabi/host/ptx/stepper.hpp>
#include <hanabi/host/ptx/warp_operation.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace hanabi::host::ptx {

namespace decode_detail {

inline void trapped(context&, const instruction&, std::uint32_t mask) {
    throw fault{driver::status::launch_failed, "The kernel executed trap", first_lane(mask)};
}

/// `size`: of the formal, where it is known: a real is written in its format.
inline call_site::value call_value(decoder& d, const argument& a, std::uint32_t size = 8) {
    if (a.kind == argument_kind::name && a.offset == 0) {
        const symbol s = d.look_up(a.name);
        if (s.kind == symbol_kind::param) return {false, s.where, s.size};
        if (s.kind == symbol_kind::reg) return {true, s.where, s.size};
    }
    if (a.kind == argument_kind::real && size == 4) return {true, d.source(a, type::f32).where, 4};
    return {true, d.source(a, a.kind == argument_kind::real ? type::f64 : type::b64).where, 8};
}

inline void decode_call(decoder& d, const form&, const statement& s) {
    call_site site;
    const auto& a = s.arguments;
    std::size_t at = 0;
    if (at < a.size() && a[at].kind == argument_kind::list) {
        const argument& list = a[at++];
        for (unsigned k = 0; k < list.count; ++k) site.results.push_back(call_value(d, s.elements[list.first + k]));
    }
    decoder::need(at < a.size() && a[at].kind == argument_kind::name, "the name of a function is expected");
    const std::string_view name = a[at++].name;
    const symbol target = d.look_up(name);
    if (at < a.size() && a[at].kind == argument_kind::list) {
        const std::vector<formal> unknown;
        const auto& formals = target.kind == symbol_kind::function ? d.p.functions[target.where].parameters : unknown;
        for (unsigned k = 0; k < a[at].count; ++k)
            site.arguments.push_back(call_value(d, s.elements[a[at].first + k], k < formals.size() ? formals[k].size : 8));
    }
    if (target.kind == symbol_kind::function) {
        site.function = static_cast<int>(target.where);
        d.self->callees.push_back(site.function);
        const function& f = d.p.functions[target.where];
        if (const builtin b = find_builtin(f.name); b != no_builtin && !f.defined) site.builtin = b;
    } else if (target.kind == symbol_kind::reg) {
        decoder::need(target.size == 8, "an indirect call needs a 64-bit register");
        site.pointer = {target.where};
        d.self->calls_unknown = true;
    } else
        decoder::unknown(name);
    instruction i = d.make(nullptr, step::call);
    if (site.builtin != no_builtin) i.flow = flow::call_built_in;
    if (site.builtin == builtin_free) i.watch_as(orders_threads); // whoever gets the memory next has no part in what was done to it
    i.target = static_cast<std::uint32_t>(d.p.calls.size());
    d.p.calls.push_back(std::move(site));
    d.emit(i);
}

inline void decode_barrier(decoder& d, const form& f, const statement& s) {
    const auto& a = s.arguments;
    instruction i = d.make(nullptr, step::barrier);
    const bool red = f.has("red");
    i.count = f.op == "bar" || f.has("aligned") ? 1 : 0;
    if (f.has("cluster")) {
        if (f.op == "barrier" && f.has("arrive") && !f.has("aligned")) i.count = 0;
        i.option = static_cast<std::uint8_t>(f.has("wait") ? barrier_act::cluster_wait : barrier_act::cluster_arrive);
        d.emit(i);
        return;
    }
    std::size_t at = 0;
    barrier_act act = f.has("arrive") ? barrier_act::arrive : barrier_act::sync;
    if (red) {
        act = f.has("popc") ? barrier_act::count : f.has("and") ? barrier_act::all : barrier_act::any;
        i.d = d.destination(a.at(at++));
    }
    i.a = d.source(a.at(at++), type::u32);
    if (red) {
        i.c = d.predicate(a.back());
        if (a.size() == at + 2) i.b = d.source(a[at], type::u32);
    } else if (at < a.size())
        i.b = d.source(a[at], type::u32);
    decoder::need(act != barrier_act::arrive || i.b.given(), "arrive takes the number of threads");
    i.option = static_cast<std::uint8_t>(act);
    d.emit(i);
}

inline void decode_warp_operation(decoder& d, const form& f, const statement& s, handler h) {
    const auto& a = s.arguments;
    instruction i = d.make(h, step::converge);
    i.target = operand::nothing;
    const bool sync = f.has("sync");
    const auto second = [&] {
        if (!a[0].second.empty()) i.target = d.destination(a[0].second).where;
    };
    if (f.op == "activemask") {
        i.d = d.destination(a.at(0));
    } else if (f.op == "elect") {
        i.d = d.destination(a.at(0));
        second();
        i.e = d.source(a.at(1), type::b32);
    } else if (f.op == "vote") {
        i.d = d.destination(a.at(0));
        i.a = d.predicate(a.at(1));
        if (sync) i.e = d.source(a.at(2), type::b32);
    } else if (f.op == "shfl") {
        i.d = d.destination(a.at(0));
        second();
        i.a = d.source(a.at(1), type::b32);
        i.b = d.source(a.at(2), type::b32);
        i.c = d.source(a.at(3), type::b32);
        if (sync) i.e = d.source(a.at(4), type::b32);
    } else if (f.op == "match") {
        i.d = d.destination(a.at(0));
        second();
        i.a = d.source(a.at(1), f.of());
        i.e = d.source(a.at(2), type::b32);
    } else { // redux
        i.d = d.destination(a.at(0));
        i.a = d.source(a.at(1), f.of());
        i.e = d.source(a.at(2), type::b32);
        i.option = static_cast<std::uint8_t>((f.has("max") ? 1 : 0) | (f.has("abs") ? 2 : 0) | (f.has("NaN") ? 4 : 0));
    }
    d.emit(i);
}

inline bool decode_async(decoder& d, const form& f, const statement& s) {
    const auto& a = s.arguments;
    if (f.has("bulk") || f.has("mbarrier") || f.has("reduce")) return false;
    if (f.has("commit_group")) {
        d.emit(d.make(&async_detail::commit));
        return true;
    }
    if (f.has("wait_all")) {
        instruction i = d.make(&async_detail::wait_all);
        i.watch_as(orders_threads);
        d.emit(i);
        return true;
    }
    if (f.has("wait_group")) {
        instruction i = d.make(&async_detail::wait_group);
        i.watch_as(orders_threads);
        i.immediate = static_cast<std::int64_t>(a.at(0).bits);
        d.emit(i);
        return true;
    }
    decoder::need(a.size() >= 3 && a[2].kind == argument_kind::integer, "cp.async takes two addresses and a size");
    instruction i = d.make(&async_detail::begin);
    i.watch_as(accesses_memory);
    instruction from = d.make();
    decode_address(d, a[1], from);
    decoder::need((from.option & narrow_address) == 0, "cp.async from a 32-bit address");
    decode_address(d, a[0], i);
    i.b = from.a;
    if (from.immediate < 0) { // offsets go up only: add it first
        instruction sum = d.make(lanewise::binary<std::uint64_t>([](std::uint64_t x, std::uint64_t y) { return x + y; }));
        sum.flow = flow::sum;
        sum.a = from.a;
        sum.b = d.immediate(static_cast<std::uint64_t>(from.immediate), 8);
        sum.d = d.temporary(8);
        d.emit(sum);
        i.b = sum.d;
        from.immediate = 0;
    }
    i.target = static_cast<std::uint32_t>(from.immediate);
    i.size = static_cast<std::uint8_t>(a[2].bits);
    decoder::need(i.size == 4 || i.size == 8 || i.size == 16, "cp.async of another size than 4, 8 or 16");
    if (a.size() > 3) {
        const bool is_predicate =
            a[3].kind == argument_kind::name && d.look_up(a[3].name).kind == symbol_kind::reg && d.look_up(a[3].name).size == 0;
        const bool is_policy =
            a[3].kind == argument_kind::name && d.look_up(a[3].name).kind == symbol_kind::reg && d.look_up(a[3].name).size == 8;
        if (is_predicate)
            i.e = d.predicate(a[3]);
        else if (!is_policy)
            i.c = d.source(a[3], type::u32);
    }
    d.emit(i);
    return true;
}

} // namespace decode_detail

/// Decodes an instruction of control flow or between threads; false for others.
inline bool decode_control(decoder& d, const form& f, const statement& s) {
    using namespace decode_detail;
    const auto& a = s.arguments;
    if (f.op == "bra") {
        decoder::need(a.size() == 1 && a[0].kind == argument_kind::name, "bra takes a label");
        const std::uint32_t at = d.emit(d.make(nullptr, step::branch));
        d.names.want_label(a[0].name, at, d.line);
        return true;
    }
    if (f.op == "brx") {
        decoder::need(a.size() == 2, "brx.idx takes an index and a table");
        instruction i = d.make(nullptr, step::branch_table);
        i.a = d.source(a[0], type::u32);
        const auto found = d.tables.find(a[1].name);
        if (found != d.tables.end())
            i.target = found->second;
        else { // declared further down
            i.target = static_cast<std::uint32_t>(d.p.tables.size());
            d.tables.emplace(a[1].name, i.target);
            d.p.tables.emplace_back();
        }
        d.emit(i);
        return true;
    }
    if (f.op == "call") {
        decode_call(d, f, s);
        return true;
    }
    if (f.op == "ret") {
        d.emit(d.make(nullptr, step::ret));
        return true;
    }
    if (f.op == "exit") {
        d.emit(d.make(nullptr, step::exit));
        return true;
    }
    if (f.op == "trap") {
        d.emit(d.make(&trapped));
        return true;
    }
    if (f.op == "bar" || f.op == "barrier") {
        if (f.has("warp")) {
            instruction i = d.make(&warp_detail::nothing, step::converge);
            i.e = d.source(a.at(0), type::b32);
            d.emit(i);
        } else
            decode_barrier(d, f, s);
        return true;
    }
    if (f.op == "nanosleep") {
        d.emit(d.make(&nothing_happens, step::yield));
        return true;
    }
    if (f.op == "griddepcontrol" || f.op == "brkpt" || f.op == "pmevent" || f.op == "setmaxnreg") {
        d.emit(d.make(&nothing_happens));
        return true;
    }
    if (f.op == "cp" && f.has("async")) return decode_async(d, f, s);
    if (const handler h = pick_warp_operation(f); h != nullptr) {
        decoder::need(f.op != "redux" || f.of() != type::f32 || f.has("min") || f.has("max"), "redux of floats other than min and max");
        decode_warp_operation(d, f, s, h);
        return true;
    }
    return false;
}

} // namespace hanabi::host::ptx

#endif
