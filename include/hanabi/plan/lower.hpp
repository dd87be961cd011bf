// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// From expressions to a program: for each kind of expression, what it tells the builder.

#ifndef HANABI_PLAN_LOWER_HPP
#define HANABI_PLAN_LOWER_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/accesses.hpp>
#include <hanabi/detail/dataflow.hpp>
#include <hanabi/detail/execute.hpp>
#include <hanabi/driver/abi.hpp>
#include <hanabi/error.hpp>
#include <hanabi/event.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/plan/builder.hpp>
#include <hanabi/registry.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace hanabi::detail {

/// The placeholders of a leaf, as data.
template <class Open>
constexpr open_use use_of() noexcept {
    if constexpr (Open::place == open_place::shape)
        return {Open::name.view(), static_cast<std::uint32_t>(Open::offset), Open::scale, true};
    else
        return {Open::name.view(), static_cast<std::uint32_t>(Open::offset), 0, false};
}
template <class List>
struct uses_of;
template <>
struct uses_of<list<>> {
    static constexpr const open_use* all = nullptr;
    static constexpr std::size_t count = 0;
};
template <class... Open>
struct uses_of<list<Open...>> {
    static constexpr open_use all[]{use_of<Open>()...};
    static constexpr std::size_t count = sizeof...(Open);
};

// The leaves, whose code depends on as little of their type as can be.

template <unsigned Terms, class Block, unsigned N, std::size_t Size, std::size_t Alignment, std::size_t Arity, class Builder>
void lower_launch(Builder& b, const launch_data<geometry<Terms, Block, N>, Size, Alignment, Arity>& e, const open_use* open,
                  std::size_t open_count) {
    b.launch({*e.kernel, e.geometry, Terms, e.geometry.attributes.data(), N, e.arguments.bytes, nullptr}, Size, Alignment, open,
             open_count);
}

/// A copy. Refused as the eager one is.
template <class Builder>
HANABI_COLD void lower_copy(Builder& b, const copy_data& c, const open_use* open, std::size_t open_count) {
    std::string words;
    raise_if(check_copy(c, &words), words);
    driver::memcpy_3d p{};
    p.width_bytes = c.bytes();
    p.height = p.depth = 1;
    p.source_type = c.way == direction::host_to_device ? driver::memory_type::host : driver::memory_type::device;
    p.destination_type = c.way == direction::device_to_host ? driver::memory_type::host : driver::memory_type::device;
    bool to_open = false, from_open = false;
    for (std::size_t i = 0; i < open_count; ++i) (open[i].offset == 0 ? to_open : from_open) = true;
    if (p.width_bytes != 0 && ((c.destination == 0 && !to_open) || (c.source == 0 && !from_open)))
        raise(errc::invalid_argument, "planning: copy at " + std::string{c.site.file_name()} + ":" + std::to_string(c.site.line()) +
                                          ": the " + (c.source == 0 && !from_open ? "source" : "destination") + " of " +
                                          std::to_string(p.width_bytes) + " bytes is null");
    if (p.source_type == driver::memory_type::host)
        p.source_host = reinterpret_cast<const void*>(c.source);
    else
        p.source_device = c.source;
    if (p.destination_type == driver::memory_type::host)
        p.destination_host = reinterpret_cast<void*>(c.destination);
    else
        p.destination_device = c.destination;
    b.copy(p, open, open_count);
}

/// A fill as detail::fill does it: word by word, and where a long element needs a column for each word, only of the first
/// thousand elements, which are then copied to what is behind.
template <class Builder>
HANABI_COLD void lower_fill(Builder& b, driver::device_address destination, const std::byte* value, std::size_t element, std::size_t count,
                            const open_use* open) {
    if (count == 0) return;
    if (destination == 0)
        raise(errc::invalid_argument, "planning: fill: the destination of " + std::to_string(element * count) + " bytes is null");
    const std::size_t word = element < 4 ? element : 4, words = element / word;
    bool same = open == nullptr;
    for (std::size_t i = 1; i < words; ++i) same = same && std::memcmp(value, value + i * word, word) == 0;
    driver::memset_node_params p{};
    p.destination = destination;
    p.element_size = static_cast<unsigned>(word);
    std::memcpy(&p.value, value, word);
    if (same || words == 1) {
        p.width = count * words;
        p.height = 1;
        b.fill(p, open, 0);
        return;
    }
    std::size_t filled = count < 1024 ? count : 1024;
    p.pitch = element;
    p.width = 1;
    p.height = filled;
    const typename Builder::frontier before = b.last();
    typename Builder::frontier columns;
    for (std::size_t i = 0; i < words; ++i) {
        b.come_after(before);
        p.destination = destination + 4 * i;
        std::memcpy(&p.value, value + 4 * i, 4);
        b.fill(p, open, static_cast<std::uint32_t>(4 * i));
        columns.push_back(b.last()[0]);
    }
    b.come_after(std::move(columns));
    while (filled < count) {
        const std::size_t more = count - filled < filled ? count - filled : filled;
        driver::memcpy_3d c{};
        c.source_type = c.destination_type = driver::memory_type::device;
        c.source_device = destination;
        c.destination_device = destination + filled * element;
        c.width_bytes = more * element;
        c.height = c.depth = 1;
        b.copy(c, nullptr, 0);
        filled += more;
    }
}

template <class F>
struct kept_callable final : kept_object {
    F callable;
    explicit kept_callable(const F& f) : callable(f) {}
};

/// Tells of parts beside each other, each between begin() and end().
template <class Builder>
class branches {
  public:
    explicit branches(Builder& b) : builder_{b} {
        b.narrow();
        before_ = b.last();
    }
    void begin() { builder_.come_after(before_); }
    void end() {
        const typename Builder::frontier& end = builder_.last();
        if (end == before_) return; // the part was nothing
        after_.append(end.begin(), end.size());
    }
    ~branches() {
        if (!after_.empty()) builder_.come_after(std::move(after_));
    }
    branches(const branches&) = delete;
    branches& operator=(const branches&) = delete;

  private:
    Builder& builder_;
    typename Builder::frontier before_, after_;
};

/// Parts each behind those before it that it depends on.
template <class Builder>
class dataflow_branches {
  public:
    dataflow_branches(Builder& b, dataflow_graph graph) : builder_{b}, graph_{std::move(graph)} {
        b.narrow();
        before_ = b.last();
        waited_for_.assign_zeros(graph_.size());
        first_end_.push_back(0);
    }
    void begin() {
        typename Builder::frontier after;
        for (const std::uint32_t earlier : graph_.predecessors_of(first_end_.size() - 1)) {
            waited_for_[earlier] = 1;
            add_ends(after, earlier);
        }
        if (after.empty()) after = before_;
        builder_.come_after(std::move(after));
        steps_ = builder_.made().steps.size();
    }
    void end() {
        nothing_ = nothing_ || builder_.made().steps.size() == steps_;
        ends_.append(builder_.last().begin(), builder_.last().size());
        first_end_.push_back(ends_.count());
    }
    ~dataflow_branches() {
        if (first_end_.size() == 1) return;
        typename Builder::frontier last;
        for (std::size_t i = 0; i + 1 < first_end_.size(); ++i)
            if (waited_for_[i] == 0) add_ends(last, i);
        builder_.come_after(std::move(last));
    }
    dataflow_branches(const dataflow_branches&) = delete;
    dataflow_branches& operator=(const dataflow_branches&) = delete;

  private:
    void add_ends(typename Builder::frontier& to, std::size_t part) const {
        for (std::uint32_t i = first_end_[part]; i < first_end_[part + 1]; ++i) {
            bool known = false; // a part that is nothing ends in what it comes after, which may be there
            for (std::size_t k = 0; nothing_ && k < to.size(); ++k) known = known || to[k] == ends_[i];
            if (!known) to.push_back(ends_[i]);
        }
    }

    Builder& builder_;
    dataflow_graph graph_;
    std::size_t steps_ = 0;
    bool nothing_ = false;
    pod_list<std::uint32_t> ends_, first_end_; ///< what each part ended in, and where that begins
    pod_list<unsigned char> waited_for_;
    typename Builder::frontier before_;
};

template <class Builder>
HANABI_COLD driver::event_handle event_of(const Builder& b, const event* mark, const char* operation, bool own) {
    if (mark == nullptr || mark->handle() == nullptr)
        raise(errc::invalid_argument, std::string{"planning: "} + operation + ": the event was moved from");
    if (own && mark->context().state().get() != &b.context() && !same_context(*mark->context().state(), b.context()))
        raise(errc::wrong_context, std::string{"planning: "} + operation + ": the event is of another context than the plan");
    return mark->handle();
}

/// Device code for the test of a loop: one kernel, which cudaGraphSetConditional does its work for. The driver's linker knows
/// that one. The host driver has a body for it under the module's name.
inline constexpr char loop_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry hanabi_set_condition(.param .u64 handle, .param .u64 flag) {
    .reg .b64 %h, %f;
    .reg .b32 %v;
    ld.param.u64 %h, [handle];
    ld.param.u64 %f, [flag];
    ld.global.u32 %v, [%f];
    {
        .param .b64 h;
        .param .b32 v;
        st.param.b64 [h], %h;
        st.param.b32 [v], %v;
        call cudaGraphSetConditional, (h, v);
    }
    ret;
}
)";
inline constexpr char loop_module[] = "hanabi.loop";

/// The function that tests loops, its module loaded for this plan once. A template, so that only sources with loops compile
/// the loading of modules.
template <class Builder>
driver::function_handle loop_test(Builder& b, driver::device_address flag) {
    if (flag == 0) raise(errc::invalid_argument, "planning: repeat_while: the flag's address is null");
    const hanabi::context in{b.made().context};
    if (in.driver_version() < 12040)
        raise(errc::entry_missing, "planning: repeat_while needs conditional nodes, which drivers have since CUDA 12.4; the driver (" +
                                       std::string{in.table().origin} + ") has " + driver::version_text(in.driver_version()));
    for (registry_state* const r : b.made().registries)
        if (r->has_module(loop_module)) return r->function(loop_module, "hanabi_set_condition");
    const registry modules = registry::load(in, {{loop_module, std::string_view{loop_ptx}}});
    b.made().keep(modules.state());
    return modules.function(loop_module, "hanabi_set_condition");
}

template <class E>
void lower(program_builder& b, const E& e);

/// A closed launch, of which its kernel's type is not needed.
template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
void lower(program_builder& builder, const launch_data<G, Size, Alignment, Arity>& e) {
    typename dependent<program_builder, G>::type& b = builder;
    lower_launch(b, e, nullptr, 0);
}

/// What is done with each part of a sequence.
struct lower_next {
    program_builder& builder;
    template <class Part>
    void operator()(const Part& part) const {
        lower(builder, part);
    }
};
/// What is done with each part of others.
template <class Branches>
struct lower_beside {
    program_builder& builder;
    Branches& all;
    template <class Part>
    void operator()(const Part& part) const {
        all.begin();
        lower(builder, part);
        all.end();
    }
};

template <class E>
void lower(program_builder& builder, const E& e) {
    typename dependent<program_builder, E>::type& b = builder;
    constexpr node_kind node = E::node;
    if constexpr (node == node_kind::launch) {
        using uses = uses_of<typename E::open_arguments>;
        lower_launch(b, e, uses::all, uses::count);
    } else if constexpr (node == node_kind::sequence || node == node_kind::sequence_range)
        e.for_each_part(lower_next{b});
    else if constexpr (node == node_kind::parallel || node == node_kind::unordered || node == node_kind::parallel_range ||
                       node == node_kind::unordered_range) {
        branches all{b};
        e.for_each_part(lower_beside<decltype(all)>{b, all});
    } else if constexpr (node == node_kind::dataflow || node == node_kind::dataflow_range) {
        std::size_t parts = 0;
        if constexpr (node == node_kind::dataflow)
            parts = E::size;
        else
            parts = e.size();
        dataflow_branches all{b, infer_dataflow(e, b.context(), parts)};
        e.for_each_part(lower_beside<decltype(all)>{b, all});
    } else if constexpr (node == node_kind::group || node == node_kind::touches)
        lower(b, e.body);
    else if constexpr (node == node_kind::repeat) {
        if (e.times >> 63 != 0) {
            std::string words;
            raise_if(times_refused(e.times, &words), words);
        }
        for (std::uint64_t i = 0; i < e.times; ++i) lower(b, e.body);
    } else if constexpr (node == node_kind::when) {
        if (e.enabled) lower(b, e.body);
    } else if constexpr (node == node_kind::repeat_while) {
        auto outer = b.begin_loop(e.flag, loop_test(b, e.flag));
        lower(b, e.body);
        b.end_loop(std::move(outer));
    } else if constexpr (node == node_kind::copy) {
        using uses = uses_of<typename E::open_arguments>;
        lower_copy(b, e, uses::all, uses::count);
    } else if constexpr (node == node_kind::fill) {
        using uses = uses_of<typename E::open_arguments>;
        lower_fill(b, e.destination, e.value, E::element, e.count, uses::all);
    } else if constexpr (node == node_kind::call) {
        using F = decltype(e.callable);
        const auto kept = shared<kept_callable<F>>::make(e.callable);
        b.call(&E::invoke, &kept->callable, kept);
    } else if constexpr (node == node_kind::barrier)
        b.join();
    else if constexpr (node == node_kind::record) {
        b.record(event_of(b, e.mark, "record", true));
        e.mark->recorded_by_graph();
    } else if constexpr (node == node_kind::wait)
        b.wait(event_of(b, e.mark, "wait", false));
    else
        e.lower(b);
}

} // namespace hanabi::detail

#endif
