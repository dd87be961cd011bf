// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The descriptors that the test support has met, so that launches of theirs print with names and values.

#ifndef HANABI_TEST_KNOWN_KERNEL_HPP
#define HANABI_TEST_KNOWN_KERNEL_HPP

#include <hanabi/config.hpp>
#include <hanabi/demangle.hpp>
#include <hanabi/host/launch_record.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/test/print_name.hpp>

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace hanabi::test::detail {

struct known_kernels {
    std::mutex mutex;
    std::vector<const descriptor*> all; ///< the newest last
};

/// Never destroyed: nothing runs at exit.
HANABI_SHARED inline known_kernels& all_known_kernels() {
    static known_kernels& only = *new known_kernels;
    return only;
}

/// Remembers a descriptor. Any thread.
inline void remember(const descriptor& kernel) {
    known_kernels& known = all_known_kernels();
    const std::lock_guard lock{known.mutex};
    if (std::find(known.all.begin(), known.all.end(), &kernel) == known.all.end()) known.all.push_back(&kernel);
}

/// Whether the launch was of the kernel, by names alone. A module without a label may be anybody's.
inline bool is_named(const host::launch_record& r, const descriptor& kernel) {
    if (!r.module.empty() && r.module != string_of(kernel.module)) return false;
    const std::string symbol = string_of(kernel.symbol);
    return kernel.by_pattern ? !matching_names(symbol, {r.symbol}).empty() : r.symbol == symbol;
}

/// Whether the arguments have the sizes of the kernel's parameters; hidden ones may follow.
inline bool has_parameters_of(const host::launch_record& r, const descriptor& kernel) {
    if (r.arguments.size() < kernel.arity || r.arguments.size() > kernel.arity + kernel.contracts->hidden) return false;
    for (std::size_t i = 0; i < kernel.arity; ++i)
        if (r.arguments[i].size() != kernel.parameters[i].size) return false;
    return true;
}

/// The descriptor of a launch, if it is known; one with names before one without.
inline const descriptor* known_kernel(const host::launch_record& r) {
    known_kernels& known = all_known_kernels();
    const std::lock_guard lock{known.mutex};
    const descriptor* found = nullptr;
    for (const descriptor* d : known.all)
        if (is_named(r, *d) && has_parameters_of(r, *d) && (found == nullptr || found->contracts->name_count == 0)) found = d;
    return found;
}

} // namespace hanabi::test::detail

#endif
