// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What executes PTX at run time: the state of warps and blocks, and what a handler is given. A block (or a cluster of
/// them) belongs to one thread at a time.

#ifndef HANABI_HOST_PTX_MACHINE_HPP
#define HANABI_HOST_PTX_MACHINE_HPP

#include <hanabi/driver/status.hpp>
#include <hanabi/host/definedness.hpp>
#include <hanabi/host/extent.hpp>
#include <hanabi/host/ptx/program.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

/// Windows of generic addresses, far from every address of the host. A shared address of another block of the cluster has
/// the block's rank plus one above bit 24.
inline constexpr std::uint64_t shared_window = std::uint64_t{1} << 56;
inline constexpr std::uint64_t local_window = std::uint64_t{2} << 56;
inline constexpr std::uint64_t param_window = std::uint64_t{3} << 56;
inline constexpr std::uint64_t function_window = std::uint64_t{4} << 56;
inline constexpr std::uint64_t window_mask = std::uint64_t{0xff} << 56;
inline constexpr unsigned shared_rank_shift = 24;

/// What ends a launch: thrown by handlers, caught by the launch.
struct fault {
    driver::status status;
    std::string what;
    unsigned lane = 0;
    int warp = -1;          ///< of the block at work; -1: the warp at work
    std::string place = {}; ///< of what was found earlier, as place_text() tells it; "": where the machine is
    bool race = false;      ///< goes before what an observer found earlier and keeps
};

/// Bytes at 64-byte boundaries.
class room {
  public:
    room() = default;
    explicit room(std::size_t size)
        : bytes_{size == 0 ? nullptr : static_cast<std::byte*>(::operator new (size, std::align_val_t{64}))}, size_{size} {}
    std::byte* data() const noexcept { return bytes_.get(); }
    std::size_t size() const noexcept { return size_; }

  private:
    struct release {
        void operator()(std::byte* p) const noexcept { ::operator delete (p, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte, release> bytes_;
    std::size_t size_ = 0;
};

/// One activation of a function, shared by the lanes that called it together.
struct frame {
    const function* of = nullptr;
    room registers;
    room params; ///< of->param_bytes for each lane, one lane after the other
    frame* parent = nullptr;
    const call_site* site = nullptr;
    std::uint32_t return_to = 0;
    std::uint32_t live = 0;
    std::uint32_t local_base = 0;
    std::uint32_t local_top = 0;     ///< the highest of its lanes
    std::vector<std::uint32_t> tops; ///< of each lane, once one has called alloca
    std::uint32_t depth = 0;
};

/// What a group of lanes does.
enum class doing : std::uint8_t {
    running,
    waiting,   ///< at a barrier of the block or cluster
    released,  ///< the barrier is complete: the instruction may end
    converging ///< for the lanes that a warp operation names
};

/// Lanes of a warp that are at the same place of the same activation.
struct group {
    std::uint32_t mask = 0;
    std::uint32_t pc = 0;
    frame* at = nullptr;
    doing state = doing::running;
    std::uint32_t barrier = 0; ///< it waits at; 16: the cluster's
    std::uint32_t result = 0;  ///< of a reduction at it
    std::uint64_t turn = 0;    ///< when it ran last
};

/// A copy that cp.async has begun and not ended.
struct async_copy {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::uint32_t size = 0, taken = 0; ///< bytes beyond `taken` are zeros
    std::uint32_t mark = 0;            ///< offset in shared memory
    std::uint32_t pc = 0;              ///< of the cp.async
    std::uint8_t lane = 0;
};
struct async_batch {
    std::vector<async_copy> copies;
    std::uint32_t mask = 0;
};

struct block;
struct launch;
struct warp;

/// What goes on by itself and is not ended: bulk copies and reductions, st.async, red.async; or the arrival at an mbarrier
/// that follows cp.async.
struct bulk_operation {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::vector<std::byte> taken; ///< what was read already, instead of `from`
    std::uint32_t size = 0;
    std::byte* mbarrier = nullptr;
    block* target = nullptr;      ///< whose shared memory `to` is in; null: global memory
    warp* after = nullptr;        ///< of an arrival: whose cp.async (of `lane`) come before
    std::uint16_t bytes = 0xffff; ///< of each 16, those that are written
    std::uint8_t lane = 0;
    std::uint8_t reduction = 0; ///< 0: none, else one more than the number of the atomic operation
    type of = type::none;
};
struct bulk_batch {
    std::vector<bulk_operation> operations;
    std::uint32_t mask = 0;
};

struct warp {
    block* owner = nullptr;
    unsigned index = 0;
    std::uint32_t born = 0;          ///< lanes that exist
    std::uint32_t alive = 0;         ///< those that have not ended
    std::uint32_t carry = 0;         ///< CC.CF, a bit a lane
    std::uint32_t effects = 0;       ///< lanes that have stored since others of the warp began to wait at a barrier
    std::uint32_t cluster_phase = 0; ///< of the cluster's barrier that it arrived for
    std::vector<group> groups;
    std::vector<std::unique_ptr<frame>> frames; ///< all that were made
    std::vector<frame*> spare;
    std::vector<std::byte> local;
    std::uint32_t local_stride = 0;
    async_batch open;                 ///< cp.async not committed
    std::vector<async_batch> batches; ///< committed, oldest first
    std::vector<bulk_operation> bulk_open;
    std::vector<bulk_batch> bulk_batches;
    std::uint64_t executed = 0;
    std::uint64_t turns = 0;
    std::uint8_t interest = 0; ///< kinds of instructions that observers want to see
    bool rotate = false;       ///< the group that ran last used up its turn
};

struct barrier_state {
    std::uint32_t arrived = 0; ///< threads
    std::uint32_t expected = 0;
    std::uint32_t count = 0; ///< of reductions: true predicates; of a cluster's barrier: phases completed
};

struct block {
    const launch* of = nullptr;
    extent index;
    std::uint64_t number = 0;
    room shared;
    std::uint32_t shared_size = 0;
    std::vector<warp> warps;
    barrier_state barriers[16];
    std::uint32_t alive = 0;   ///< threads
    unsigned rank = 0;         ///< in its cluster
    block** cluster = nullptr; ///< all of it, by rank
    unsigned cluster_size = 1;
    std::uint32_t pending = 0;         ///< bytes that cp.async has not brought yet
    std::vector<std::uint8_t> unready; ///< of shared memory: such bytes
    std::vector<bulk_operation> bulk;  ///< what reports to mbarriers of the block
    barrier_state* cluster_barrier = nullptr;
    unsigned next_warp = 0;
    std::span<observer* const> observers;
};

/// Memory that kernels may touch.
struct region {
    std::uintptr_t base = 0;
    std::size_t size = 0;
    detail::definedness* defined = nullptr; ///< what of it has values; null: everything
};

/// What a launch asks of the driver around it.
class surroundings {
  public:
    virtual ~surroundings() = default;
    /// The usable allocation that holds an address now; size 0 when there is none.
    virtual region find(std::uintptr_t address) const = 0;
    /// Why [address, address + size) may not be accessed.
    virtual std::string complaint(std::uintptr_t address, std::size_t size) const = 0;
    /// An address of such an allocation, in words: what offset of which.
    virtual std::string place(std::uintptr_t address) const = 0;
    virtual std::uint64_t allocate(std::size_t size) const = 0;
    virtual bool free(std::uint64_t address) const = 0;
    virtual void print(const std::string& text) const = 0;
};

/// One launch of one kernel.
struct launch {
    const program* code = nullptr;
    const std::byte* constants = nullptr; ///< the program's, with addresses in place
    const function* kernel = nullptr;
    extent grid, block, cluster;
    bool explicit_cluster = false;
    bool cooperative = false;
    std::uint32_t dynamic_shared = 0;
    std::uint32_t dynamic_offset = 0;
    std::uint32_t reserved_shared = 0; ///< bytes at the start that are the system's: zeros at first
    std::vector<std::byte> parameters;
    std::vector<region> regions; ///< sorted
    const surroundings* outside = nullptr;
    std::uint64_t budget = 0; ///< instructions of a warp; 0: no limit
    std::uint64_t number = 0;
    std::uint64_t grid_workspace = 0; ///< what grid.sync finds through %envreg
    unsigned multiprocessors = 1;
};

/// What handlers work on.
struct context {
    std::byte* base[2] = {nullptr, nullptr}; ///< registers, constants
    warp* w = nullptr;
    block* b = nullptr;
    const launch* l = nullptr;
    group* g = nullptr;
    region last; ///< where the last access went
    const std::byte* raw = nullptr;

    template <class T>
    T* at(operand o) const noexcept {
        return reinterpret_cast<T*>(base[o.where >> 31] + (o.where & 0x7fffffffu));
    }
    std::uint32_t& predicate(operand o) const noexcept { return *at<std::uint32_t>(o); }
    frame& here() const noexcept { return *g->at; }
};

/// The lane with the lowest number.
inline unsigned first_lane(std::uint32_t mask) noexcept { return static_cast<unsigned>(__builtin_ctz(mask)); }

/// Calls f(lane) for the lanes of a mask.
template <class F>
inline void each_lane(std::uint32_t mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(first_lane(mask));
}

/// All 64 bits of an operand of 4 or 8 bytes.
inline std::uint64_t wide_value(const context& c, operand o, unsigned width, unsigned lane) noexcept {
    switch (width) {
    case 1: return c.at<std::uint8_t>(o)[lane];
    case 2: return c.at<std::uint16_t>(o)[lane];
    case 4: return c.at<std::uint32_t>(o)[lane];
    default: return c.at<std::uint64_t>(o)[lane];
    }
}
inline void set_value(const context& c, operand o, unsigned width, unsigned lane, std::uint64_t value) noexcept {
    switch (width) {
    case 1: c.at<std::uint8_t>(o)[lane] = static_cast<std::uint8_t>(value); break;
    case 2: c.at<std::uint16_t>(o)[lane] = static_cast<std::uint16_t>(value); break;
    case 4: c.at<std::uint32_t>(o)[lane] = static_cast<std::uint32_t>(value); break;
    default: c.at<std::uint64_t>(o)[lane] = value; break;
    }
}

} // namespace hanabi::host::ptx

#endif
