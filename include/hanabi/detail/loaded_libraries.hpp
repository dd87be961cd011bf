// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Which shared libraries the process has loaded.

#ifndef HANABI_DETAIL_LOADED_LIBRARIES_HPP
#define HANABI_DETAIL_LOADED_LIBRARIES_HPP

#include <string>
#include <vector>

#if defined(__linux__)
#include <cstddef>
#include <cstring>
#include <link.h>
#endif

namespace hanabi::detail {

/// The paths of loaded libraries whose file name begins like this. None where the platform can't tell.
inline std::vector<std::string> loaded_libraries(const char* prefix) {
    std::vector<std::string> paths;
#if defined(__linux__)
    struct search {
        const char* prefix;
        std::vector<std::string>& paths;
    } wanted{prefix, paths};
    ::dl_iterate_phdr(
        [](::dl_phdr_info* info, std::size_t, void* data) {
            const auto& s = *static_cast<const search*>(data);
            if (info->dlpi_name == nullptr) return 0;
            const char* const slash = std::strrchr(info->dlpi_name, '/');
            if (slash != nullptr && std::strncmp(slash + 1, s.prefix, std::strlen(s.prefix)) == 0) s.paths.emplace_back(info->dlpi_name);
            return 0;
        },
        &wanted);
#else
    static_cast<void>(prefix);
#endif
    return paths;
}

} // namespace hanabi::detail

#endif
