// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How values go through an instruction: what observers need to know of it beside its operands.

#ifndef HANABI_HOST_PTX_FLOW_HPP
#define HANABI_HOST_PTX_FLOW_HPP

#include <cstdint>

namespace hanabi::host::ptx {

/// From where to where values go, and which bits of a result depend on which. Where nothing else is said, `a`, `b`, `c` and
/// `e` are read and `d` is written.
enum class flow : std::uint8_t {
    compute,   ///< every bit of the result depends on every bit of the operands
    nothing,   ///< no values
    special,   ///< `d` comes from none
    sum,       ///< a bit of the result depends on those of the operands up to its own place
    carry_out, ///< compute, and the carry flag
    carry_in,
    carry_through,
    halves, ///< each 16 bits by themselves
    words,  ///< each 32 bits by themselves
    keep,   ///< each bit depends on that of `a` in its place
    move,   ///< bits of `a` go somewhere else; the others say where to
    merge,  ///< bits of `a` and `b`
    choose, ///< `a` or `b`, by the predicate `c`
    bit_and,
    bit_or,
    bit_xor,
    table,           ///< lop3
    table_predicate, ///< the predicates `target` in, `e` out
    compare,         ///< predicates `d` and `e` out
    pack,            ///< from `count` operands of the side table
    unpack,
    load, ///< `d`, or `count` operands of the side table
    store,
    parameter,  ///< loads a kernel's
    frame_load, ///< a function's parameter
    frame_store,
    frame_load_indirect,
    frame_store_indirect,
    atomic,
    async_copy,
    bulk_copy,
    async_store,
    bulk_store, ///< of zeros
    mbarrier,
    fence,
    async_wait, ///< and commit
    shuffle,    ///< `target`: the predicate out, as for match and elect
    vote,
    match,
    reduce,
    elect,
    load_matrix,
    store_matrix,
    load_fragment,
    store_fragment,
    multiply,
    multiply_fragments,
    barrier,
    branch,
    call,
    call_built_in
};

} // namespace hanabi::host::ptx

#endif
