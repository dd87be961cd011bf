// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How the host driver reaches what executes a module's own code, where the program has it: hanabi/host/ptx.hpp.

#ifndef HANABI_HOST_EXECUTOR_HPP
#define HANABI_HOST_EXECUTOR_HPP

#include <hanabi/detail/linked.hpp>
#include <hanabi/host/block_pool.hpp>
#include <hanabi/host/definedness.hpp>
#include <hanabi/host/extent.hpp>
#include <hanabi/host/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// Memory that a kernel may touch.
struct memory_range {
    std::uintptr_t base = 0;
    std::size_t size = 0;
    definedness* defined = nullptr; ///< what of it has values; null: everything
};

/// One launch, as an executor is asked to run it. What it points to outlives the run.
struct executor_launch {
    std::string kernel;
    std::string name; ///< module::symbol, for messages
    extent grid, block, cluster;
    bool cooperative = false;
    bool explicit_cluster = false;
    std::size_t dynamic_shared = 0;
    std::uint64_t number = 0;
    unsigned multiprocessors = 1;
    std::size_t resident_blocks = 1; ///< how many blocks the device has room for at a time
    const std::vector<std::vector<std::byte>>* arguments = nullptr;
    std::vector<memory_range> memory;                                  ///< sorted
    std::function<memory_range(std::uintptr_t)> find;                  ///< what holds an address now
    std::function<std::string(std::uintptr_t, std::size_t)> complaint; ///< why a range may not be touched
    std::function<std::string(std::uintptr_t)> place;                  ///< an address of a buffer, in words
    std::function<void(const std::string&)> log;                       ///< a line for the driver's log
    block_pool* pool = nullptr;
};

/// The code of one module, ready to run. Any thread.
class executor {
  public:
    executor() = default;
    executor(const executor&) = delete;
    executor& operator=(const executor&) = delete;
    virtual ~executor() = default;

    /// Why no kernel can run; "" where the code could be read.
    virtual std::string error() const = 0;
    /// Why a kernel can't run, or "".
    virtual std::string refusal(const std::string& kernel) const = 0;
    /// All refusals of kernels, a line each.
    virtual std::string refusals() const = 0;
    /// Names and bytes of variables that the module's declarations don't tell: what functions declare for themselves, arrays
    /// that are as long as their initial value. To be allocated before `link`.
    virtual std::vector<std::pair<std::string, std::size_t>> own_variables() const = 0;
    /// Tells where the module's variables lie, once, before anything runs: finds an address by name (0: no such variable).
    /// Writes the initial values that hold addresses.
    virtual void link(const std::function<memory_range(const std::string&)>& variable) = 0;
    virtual outcome run(const executor_launch& launch) = 0;
    /// Bytes of a kernel's local memory.
    virtual std::size_t local_bytes(const std::string& kernel) const = 0;
};

} // namespace hanabi::host::detail

/// Makes the executor of a PTX text; to be deleted by the caller. Weak here: null in a program without it, defined by
/// hanabi/host/ptx/src.hpp.
#if defined(__GNUC__) && !defined(_WIN32)
extern "C" __attribute__((weak, visibility("default"))) hanabi::host::detail::executor* hanabi_host_ptx_executor(const char* text,
                                                                                                                 std::size_t length);
#endif

namespace hanabi::host::detail {

/// Whether this program can execute PTX.
inline bool has_executor() noexcept {
#if defined(__GNUC__) && !defined(_WIN32)
    return hanabi::detail::is_linked(&hanabi_host_ptx_executor);
#else
    return false;
#endif
}
/// The executor of a text; null in a program that has none.
inline std::shared_ptr<executor> make_executor(const char* text, std::size_t length) {
#if defined(__GNUC__) && !defined(_WIN32)
    if (has_executor()) return std::shared_ptr<executor>{hanabi_host_ptx_executor(text, length)};
#else
    (void)text;
    (void)length;
#endif
    return nullptr;
}

} // namespace hanabi::host::detail

#endif
