// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The record of one launch.

#ifndef HANABI_HOST_LAUNCH_RECORD_HPP
#define HANABI_HOST_LAUNCH_RECORD_HPP

#include <hanabi/driver/abi.hpp>
#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/host/extent.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace hanabi::host {

/// A launch that the driver accepted, as it was asked for. A plain value: it outlives the driver's objects.
struct launch_record {
    std::uint64_t number = 0; ///< 1 for the first launch since reset() or clear_launches()
    std::string module;       ///< the label of the module; "" when it has none
    std::string symbol;
    extent grid, block;
    extent cluster{0, 0, 0};                ///< as the launch or the kernel asks for; zeros without clusters
    unsigned shared_bytes = 0;              ///< dynamic
    driver::stream_handle stream = nullptr; ///< as given
    driver::context_handle context = nullptr;
    unsigned long long context_id = 0;
    bool cooperative = false;
    bool programmatic = false;                        ///< programmatic stream serialisation allowed
    std::vector<driver::launch_attribute> attributes; ///< as given
    std::vector<std::vector<std::byte>> arguments;    ///< the bytes of each parameter
    driver::graph_node_handle graph_node = nullptr;   ///< the node of a graph that it was; null for a launch into a stream
    std::uint64_t graph_launch = 0;                   ///< 1 for the first launch of a graph since reset(), and so on; 0 beside

    /// Parameter number `index`, from 0, as a T; nothing when there is no such parameter or it has another size.
    template <class T>
    std::optional<T> argument(std::size_t index) const {
        static_assert(std::is_trivially_copyable_v<T>, "kernel parameters are trivially copyable");
        if (index >= arguments.size() || arguments[index].size() != sizeof(T)) return std::nullopt;
        T value;
        std::memcpy(&value, arguments[index].data(), sizeof(T));
        return value;
    }
};

} // namespace hanabi::host

#endif
