// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a body sees of the launch it runs in: host::thread and host::block.

#ifndef HANABI_HOST_BLOCK_HPP
#define HANABI_HOST_BLOCK_HPP

#include <hanabi/config.hpp>
#include <hanabi/host/extent.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace hanabi::host {

class block;

namespace detail {

/// Finds a variable of the launch's module: its address, and its size in `bytes`; null where there is none.
using variable_finder = void* (*)(const void* launch, const char* name, std::size_t* bytes);

/// Bytes of any alignment up to 128, as shared memory has it.
class shared_bytes {
  public:
    static constexpr std::size_t alignment = 128;
    shared_bytes() = default;
    explicit shared_bytes(std::size_t size)
        : bytes_{size == 0 ? nullptr : static_cast<std::byte*>(::operator new (size, std::align_val_t{alignment}))}, size_{size} {}
    std::byte* data() const noexcept { return bytes_.get(); }
    std::size_t size() const noexcept { return size_; }
    /// Shared memory starts with whatever was there: here, bytes that are a NaN in floating point.
    void scramble() noexcept {
        if (size_ != 0) std::memset(bytes_.get(), 0xff, size_);
    }

  private:
    struct release {
        void operator()(std::byte* p) const noexcept { ::operator delete (p, std::align_val_t{alignment}); }
    };
    std::unique_ptr<std::byte, release> bytes_;
    std::size_t size_ = 0;
};

/// What all threads of one block have in common. One worker uses it for one block after the other.
struct block_frame {
    extent block_index{0, 0, 0};
    extent block_size, grid_size, cluster_size;
    shared_bytes dynamic_shared;
    std::vector<shared_bytes> static_shared; ///< in the order in which the body asks for it
    std::size_t static_used = 0;             ///< pieces the current block asked for
    std::size_t static_limit = 0;            ///< bytes
    bool in_phase = false;
    const void* launch = nullptr;
    variable_finder find_variable = nullptr;

    void begin(extent index) noexcept {
        block_index = index;
        static_used = 0;
        in_phase = false;
        dynamic_shared.scramble();
        for (shared_bytes& piece : static_shared) piece.scramble();
    }

    void* static_piece(std::size_t bytes) {
        if (static_used == static_shared.size()) {
            std::size_t sum = bytes;
            for (const shared_bytes& piece : static_shared) sum += piece.size();
            if (sum > static_limit)
                throw std::length_error{"static_shared: " + std::to_string(sum) + " bytes in the block; the device gives " +
                                        std::to_string(static_limit) + ", take dynamic shared memory for more"};
            static_shared.emplace_back(bytes).scramble();
        } else if (static_shared[static_used].size() != bytes)
            throw std::logic_error{"static_shared: the blocks of a launch must ask for the same pieces in the same order"};
        return static_shared[static_used++].data();
    }

    template <class T>
    T* variable(name_view name) const {
        std::size_t bytes = 0;
        void* const found = find_variable == nullptr ? nullptr : find_variable(launch, name.c_str(), &bytes);
        if (found == nullptr) throw std::out_of_range{std::string{"the module has no variable "} + name.c_str()};
        if (bytes < sizeof(T))
            throw std::length_error{std::string{"the module's variable "} + name.c_str() + " has " + std::to_string(bytes) + " bytes, " +
                                    std::to_string(sizeof(T)) + " are read as one element"};
        return static_cast<T*>(found);
    }
};

} // namespace detail

/// One thread of a launch: where it is. Small, to be passed by value; used inside the body only.
class thread {
  public:
    thread(const detail::block_frame& frame, extent index) noexcept : frame_{&frame}, index_{index} {}

    /// threadIdx
    extent thread_index() const noexcept { return index_; }
    /// blockIdx
    extent block_index() const noexcept { return frame_->block_index; }
    /// blockDim
    extent block_size() const noexcept { return frame_->block_size; }
    /// gridDim
    extent grid_size() const noexcept { return frame_->grid_size; }
    /// The blocks of a cluster; (1,1,1) in a launch without clusters.
    extent cluster_size() const noexcept { return frame_->cluster_size; }
    /// blockIdx * blockDim + threadIdx, in 64 bits: it does not wrap.
    wide_index global_index() const noexcept {
        const detail::block_frame& f = *frame_;
        return {std::uint64_t{f.block_index.x} * f.block_size.x + index_.x, std::uint64_t{f.block_index.y} * f.block_size.y + index_.y,
                std::uint64_t{f.block_index.z} * f.block_size.z + index_.z};
    }
    /// The thread's number in its block, x fastest: what warps are cut from.
    unsigned rank() const noexcept { return index_.x + frame_->block_size.x * (index_.y + frame_->block_size.y * index_.z); }
    /// A __device__ or __constant__ variable of the module the kernel was loaded from: the address of its first element,
    /// by linker-visible name. Throws (and so fails the launch) when there is none, or it is smaller than one T.
    template <class T>
    T* variable(name_view name) const {
        return frame_->variable<T>(name);
    }

  private:
    const detail::block_frame* frame_;
    extent index_;
};

/// One block of a launch, for bodies that share memory between threads. The body is called once a block and runs the
/// block's threads in phases:
///
///     host::define(sum, [](host::block& b, const float* in, float* out, int n) {
///         auto part = b.shared<float>();                                        // the launch's dynamic shared memory
///         b.for_each_thread([&](host::thread t) { part[t.rank()] = …; });       // every thread, up to
///         for (unsigned s = b.size().x / 2; s != 0; s /= 2)                     // __syncthreads()
///             b.for_each_thread([&](host::thread t) { if (t.rank() < s) part[t.rank()] += part[t.rank() + s]; });
///         b.for_each_thread([&](host::thread t) { if (t.rank() == 0) out[t.block_index().x] = part[0]; });
///     });
///
/// The end of a phase is the barrier: every thread's part of one phase happens before every thread's part of the next.
/// Inside a phase the threads run one after the other, in the order of rank(): what needs a barrier can't be hidden in a
/// phase, and a loop around a barrier is a loop around phases. What a thread keeps across a barrier lives in
/// per_thread<T>(). Warps have no meaning of their own.
class block {
  public:
    explicit block(detail::block_frame& frame) noexcept : frame_{frame} {}
    block(const block&) = delete;
    block& operator=(const block&) = delete;

    /// blockIdx
    extent index() const noexcept { return frame_.block_index; }
    /// blockDim
    extent size() const noexcept { return frame_.block_size; }
    /// gridDim
    extent grid_size() const noexcept { return frame_.grid_size; }
    /// The blocks of a cluster; (1,1,1) in a launch without clusters.
    extent cluster_size() const noexcept { return frame_.cluster_size; }
    /// Threads of the block.
    unsigned thread_count() const noexcept { return static_cast<unsigned>(frame_.block_size.volume()); }

    /// A phase: calls f(host::thread) for every thread of the block. A phase inside a phase throws std::logic_error.
    template <class F>
    void for_each_thread(F&& f) {
        if (frame_.in_phase) throw std::logic_error{"for_each_thread inside for_each_thread: a thread can't start threads"};
        frame_.in_phase = true;
        const extent size = frame_.block_size;
        for (unsigned z = 0; z < size.z; ++z)
            for (unsigned y = 0; y < size.y; ++y)
                for (unsigned x = 0; x < size.x; ++x) f(thread{frame_, {x, y, z}});
        frame_.in_phase = false;
    }

    /// Says that a barrier is here. Between phases there is one anyway; inside a phase it throws std::logic_error, since
    /// the threads of a phase do not run at the same time: end the phase instead.
    void barrier() const {
        if (frame_.in_phase) throw std::logic_error{"barrier() inside for_each_thread: end the phase and begin another"};
    }

    /// The first `count` elements of the launch's dynamic shared memory; by default all that fit. The same memory at each
    /// call. Throws std::length_error when the launch has less.
    template <class T>
    std::span<T> shared(std::size_t count = ~std::size_t{0}) const {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= detail::shared_bytes::alignment,
                      "shared memory holds trivially copyable types of at most 128-byte alignment");
        const std::size_t room = frame_.dynamic_shared.size() / sizeof(T);
        if (count == ~std::size_t{0}) count = room;
        if (count > room)
            throw std::length_error{"shared: " + std::to_string(count) + " elements of " + std::to_string(sizeof(T)) +
                                    " bytes; the launch has " + std::to_string(frame_.dynamic_shared.size()) +
                                    " bytes of dynamic shared memory"};
        return {reinterpret_cast<T*>(frame_.dynamic_shared.data()), count};
    }

    /// A `__shared__ T name[N]`: memory of its own at each call. Throws std::length_error when the block's pieces pass
    /// what the device gives without opting in.
    template <class T, std::size_t N = 1>
    std::span<T, N> static_shared() {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= detail::shared_bytes::alignment,
                      "shared memory holds trivially copyable types of at most 128-byte alignment");
        return std::span<T, N>{static_cast<T*>(frame_.static_piece(sizeof(T) * N)), N};
    }

    /// One T for each thread, by rank(): local variables that live across barriers.
    template <class T>
    std::vector<T> per_thread(const T& initial = T{}) const {
        return std::vector<T>(thread_count(), initial);
    }

    /// As thread::variable.
    template <class T>
    T* variable(name_view name) const {
        return frame_.variable<T>(name);
    }

  private:
    detail::block_frame& frame_;
};

} // namespace hanabi::host

#endif
