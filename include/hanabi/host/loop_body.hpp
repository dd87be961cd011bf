// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the library's own kernel does on the host driver: the one that tells whether a repeat_while goes on.

#ifndef HANABI_HOST_LOOP_BODY_HPP
#define HANABI_HOST_LOOP_BODY_HPP

#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/host/body.hpp>
#include <hanabi/host/state.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>

namespace hanabi::host::detail {

/// hanabi_set_condition(handle, flag) of the module hanabi.loop: the condition becomes the number at the flag.
struct loop_body final : typed_body {
    loop_body() {
        this->module = "hanabi.loop"; // a line that begins with `module` is none that nvcc takes
        symbol = "hanabi_set_condition";
        parameters = signature_of<void(std::uint64_t, const int*)>::describe();
    }
    void run_block(block_frame&, const std::byte* const* arguments) const override {
        std::uint64_t handle = 0;
        const int* flag = nullptr;
        __builtin_memcpy(&handle, arguments[0], sizeof handle);
        __builtin_memcpy(&flag, arguments[1], sizeof flag);
        if (!state().set_condition(handle, static_cast<unsigned>(*flag))) throw std::out_of_range{"no such conditional handle"};
    }
};

/// One for all, made at its first use and never destroyed.
inline const std::shared_ptr<const typed_body>& shared_loop_body() {
    static const auto& only = *new std::shared_ptr<const typed_body>{std::make_shared<loop_body>()};
    return only;
}

} // namespace hanabi::host::detail

#endif
