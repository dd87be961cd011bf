// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What watches the execution of a kernel beside the machine itself: each tool that finds a kind of mistake is an observer,
/// and the machine knows no more of it. A kernel without observers pays one test an instruction.

#ifndef HANABI_HOST_PTX_OBSERVER_HPP
#define HANABI_HOST_PTX_OBSERVER_HPP

#include <cstdint>

namespace hanabi::host::ptx {

struct async_copy;
struct block;
struct call_site;
struct context;
struct frame;
struct instruction;
struct warp;

/// Kinds of instructions: instruction::watched has those that it is, warp::interest those that observers want to see.
enum watched : std::uint8_t {
    accesses_memory = 1,
    orders_threads = 2, ///< fences, operations on mbarriers, waits for asynchronous copies
    moves_values = 4,   ///< every instruction
    reads_memory = 8,   ///< this and the following: with accesses_memory, what the access is
    writes_memory = 16,
    strong_access = 32,   ///< volatile, relaxed or stronger: others may do the same at the same time
    releases_memory = 64, ///< what was done before is there for who acquires
    within_warp = 128     ///< shfl, and what loads or stores local memory
};

/// Sees what one thread executes of a launch; may end the launch by throwing a fault. One object a thread of the host,
/// called by that thread alone.
class observer {
  public:
    observer() = default;
    observer(const observer&) = delete;
    observer& operator=(const observer&) = delete;
    virtual ~observer() = default;

    /// Kinds of instructions to see from the start of every warp; it may add kinds to warp::interest, and take them away.
    virtual std::uint8_t interest() const noexcept = 0;
    /// A block is about to begin: its warps, first frames and shared memory are there.
    virtual void begin(block&) {}
    /// Before an instruction of a kind in warp::interest is executed for the lanes of `mask`: those of the group that its
    /// guard lets through, maybe none. Of a warp operation: the lanes that execute it together.
    virtual void before(context&, const instruction&, std::uint32_t mask) = 0;
    /// The lanes have called: the callee's frame is filled, the caller is its parent.
    virtual void called(context&, const call_site&, frame& callee, std::uint32_t mask) {
        (void)callee;
        (void)mask;
    }
    /// The lanes return: results are handed over, the frame is still there.
    virtual void returned(context&, const call_site&, frame& callee, std::uint32_t mask) {
        (void)callee;
        (void)mask;
    }
    /// Lanes of a warp have come together at a warp operation, or bar.warp.sync.
    virtual void converged(warp&, std::uint32_t mask) { (void)mask; }
    /// Lanes have arrived at a barrier of the block (16: of the cluster).
    virtual void arrived(warp&, std::uint32_t barrier, std::uint32_t mask) {
        (void)barrier;
        (void)mask;
    }
    /// Lanes that waited at a barrier go on, since it is complete.
    virtual void passed(warp&, std::uint32_t barrier, std::uint32_t mask) {
        (void)barrier;
        (void)mask;
    }
    /// cp.async has brought what it was to bring: the copy, which one lane of the warp waited for, is about to be made.
    virtual void copied(context&, const async_copy&) {}
    /// Lanes of one frame go on in another of the same function: groups that called it apart have come together.
    virtual void joined(warp&, frame& to, frame& from, std::uint32_t mask) {
        (void)to;
        (void)from;
        (void)mask;
    }
    /// A built-in function, called in the current instruction, reads memory for a lane: printf its arguments and texts.
    virtual void reads(context&, std::uint64_t address, unsigned bytes, unsigned lane) {
        (void)address;
        (void)bytes;
        (void)lane;
    }
    /// All that this thread of the host executes of the launch is done, without a fault. One thrown here has a place of its own.
    virtual void finish() {}
    /// Lanes have ended.
    virtual void ended(warp&, std::uint32_t mask) { (void)mask; }
};

} // namespace hanabi::host::ptx

#endif
