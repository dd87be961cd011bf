// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a descriptor says, as data that needs no templates to read.

#ifndef HANABI_DESCRIPTOR_HPP
#define HANABI_DESCRIPTOR_HPP

#include <hanabi/contract.hpp>
#include <hanabi/signature.hpp>
#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi {

/// What a descriptor says, as data: one for each descriptor, with static storage, the same for its launches, functors
/// and messages. Immutable but for the slot number.
struct descriptor {
    name_view module;
    name_view symbol;            ///< the linker's name; a pattern of demangled names where by_pattern is set
    const parameter* parameters; ///< arity of them
    const contract_set* contracts;
    unsigned arity;
    bool by_pattern;
    /// This descriptor's number among all those that any registry of the process has met, 0 before the first: written
    /// once by hanabi/registry.hpp, read atomically.
    unsigned* slot;
    bool spells_types = false; ///< the symbol is a C++ name, so that a kernel found by it has the declared parameter types

    /// The name of the i-th parameter; empty without the names contract.
    constexpr name_view parameter_name(std::size_t i) const noexcept {
        return i < contracts->name_count ? contracts->names[i] : name_view{};
    }
};

} // namespace hanabi

#endif
