// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Handle values. They are numbers, not addresses: following one faults at once, a stale one is never taken for a newer
/// object, and one of the wrong kind is told apart.

#ifndef HANABI_HOST_HANDLE_HPP
#define HANABI_HOST_HANDLE_HPP

#include <cstdint>

namespace hanabi::host::detail {

/// What a handle names.
// On lines that don't begin with `module`: nvcc's front end takes that for a module declaration.
// clang-format off
enum class handle_kind : std::uint8_t {
    context = 1, module = 2, function = 3, stream = 4, event = 5,
    graph = 6, graph_node = 7, graph_exec = 8, user_object = 9, conditional = 10
};
// clang-format on

/// A number that no other handle has had: a tag in the bits that make an address non-canonical, the kind, a serial.
class handle_source {
  public:
    std::uintptr_t next(handle_kind kind) noexcept { return tag | (static_cast<std::uintptr_t>(kind) << 44) | (++serial_ << 4); }

    static constexpr bool is(std::uintptr_t handle, handle_kind kind) noexcept {
        return (handle & mask) == (tag | (static_cast<std::uintptr_t>(kind) << 44));
    }

  private:
    static_assert(sizeof(std::uintptr_t) == 8, "The host driver needs 64-bit pointers.");
    static constexpr std::uintptr_t tag = std::uintptr_t{0x4841} << 48;
    static constexpr std::uintptr_t mask = std::uintptr_t{0xfffff} << 44;
    std::uintptr_t serial_ = 0;
};

template <class Pointer>
std::uintptr_t number_of(Pointer handle) noexcept {
    return reinterpret_cast<std::uintptr_t>(handle);
}
template <class Pointer>
Pointer handle_of(std::uintptr_t number) noexcept {
    return reinterpret_cast<Pointer>(number); // opaque: never followed
}

} // namespace hanabi::host::detail

#endif
