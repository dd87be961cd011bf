// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a plan is made of, one step a graph node: launches, copies, fills, calls, events, graphs within the graph.

#ifndef HANABI_PLAN_STEP_HPP
#define HANABI_PLAN_STEP_HPP

#include <hanabi/descriptor.hpp>
#include <hanabi/driver/graph_abi.hpp>
#include <hanabi/geometry.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::detail {

struct binding;

/// `loop` is a conditional node; what it repeats is in its own graph. `test` is a launch of the library's own, ahead of a loop and
/// at the end of its body, which tells whether there is another round. `join` does nothing: it stands for many edges.
enum class step_kind : unsigned char { launch, copy, fill, call, record, wait, graph, loop, test, join };

/// The graph of the plan itself, where a step says in which graph it is; others are bodies of loops, by number.
inline constexpr std::uint32_t main_graph = 0;

/// A node of a graph. What it does is in the program's list for its kind.
struct step {
    step_kind kind;
    std::uint32_t index;        ///< in the list of its kind
    std::uint32_t first_before; ///< the steps that it comes after: a slice of program::before
    std::uint32_t before_count;
    std::uint32_t graph; ///< main_graph, or 1 + the number of the loop that it is in
    driver::graph_node_handle node;
};

/// A launch, and the parameters that the driver has of it.
struct launch_step {
    driver::kernel_node_params params;
    binding* bound;
    const descriptor* kernel;
    std::byte* arguments; ///< laid out as the descriptor says; params.parameters points into it
    const driver::launch_attribute* attributes;
    launch_shape shape; ///< as written, with what is bound by now
    unsigned terms;
    unsigned attribute_count;
    std::uint32_t argument_bytes;
    std::uint32_t alignment; ///< of the arguments
    std::uint32_t step;
    unsigned char open_counts; ///< counts of the shape that wait for their first binding
    bool variable;             ///< a count is bound at run time: the launch may come to nothing
    bool idle;                 ///< a launch of nothing, or one that waits for a count: the node is disabled
    bool disabled;             ///< what the executable graph was last told
    bool changed;              ///< ahead of the executable graph, and in the list of those
    bool reshaped;             ///< a count has changed and is to be checked
};

/// A copy of bytes between device memory, or between it and host memory, which somebody else keeps.
struct copy_step {
    driver::memcpy_3d params;
    std::uint32_t step;
    bool changed;
};

/// A fill with words of 1, 2 or 4 bytes: a column of words where the element is longer.
struct fill_step {
    driver::memset_node_params params;
    std::uint32_t step;
    bool changed;
};

/// A while loop: a conditional node and the graph of its body.
struct loop_step {
    driver::device_address flag; ///< of a 32-bit number; 0 ends the loop
    driver::graph_conditional_handle handle;
    driver::graph_handle body; ///< the driver's own
};

/// What decides on a loop's next round: a launch of set_condition(handle, flag).
struct test_step {
    driver::kernel_node_params params;
    std::uint32_t loop;
    void* pointers[2]; ///< to the loop's handle and flag
};

/// What of a step a placeholder fills.
enum class use_kind : unsigned char { argument, shape, copy_destination, copy_source, fill_word };

/// A place that a placeholder fills.
struct slot_use {
    use_kind kind;
    std::uint32_t index;  ///< in the list of launches, copies or fills
    std::uint32_t offset; ///< of the argument in its block; of a count: 0..2 extent, 3..5 block, 6 shared bytes; of a word in the value
    std::uint64_t scale;  ///< a count's factor; a word's size
};

} // namespace hanabi::detail

#endif
