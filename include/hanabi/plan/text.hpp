// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A plan's graph for people: in words, and as a drawing for Graphviz.

#ifndef HANABI_PLAN_TEXT_HPP
#define HANABI_PLAN_TEXT_HPP

#include <hanabi/config.hpp>
#include <hanabi/format.hpp>
#include <hanabi/plan/graph.hpp>
#include <hanabi/plan/program.hpp>

#include <cstdint>
#include <cstdio>
#include <string>

namespace hanabi::detail {

/// The last part of a path.
template <class = void>
std::string file_of(const char* path) {
    const char* name = path;
    for (const char* c = path; *c != '\0'; ++c)
        if (*c == '/' || *c == '\\') name = c + 1;
    return name;
}

/// The arguments of a launch, with the names of the placeholders that still wait for a value.
template <class Program>
std::string planned_arguments(const Program& p, std::uint32_t launch) {
    const launch_step& l = p.launches[launch];
    std::string s = "(";
    for (unsigned i = 0; i < l.kernel->arity; ++i) {
        const parameter& parameter = l.kernel->parameters[i];
        if (i != 0) s += ", ";
        if (const name_view name = l.kernel->parameter_name(i); !name.empty()) s.append(name.data(), name.size()).append("=");
        const slot* open = nullptr;
        for (const slot& candidate : p.slots)
            for (std::uint32_t u = candidate.first_use; !candidate.bound && u < candidate.first_use + candidate.use_count; ++u)
                if (p.uses[u].kind == use_kind::argument && p.uses[u].index == launch && p.uses[u].offset == parameter.offset)
                    open = &candidate;
        if (open != nullptr)
            s.append("\"").append(open->name.data(), open->name.size()).append("\"_arg");
        else
            s += value_text(parameter.kind, parameter.size, l.arguments + parameter.offset, parameter.visit_fields);
    }
    return s + ")";
}

template <class = void>
std::string planned_geometry(const launch_step& l) {
    if (l.open_counts != 0) return "to be bound";
    if (l.idle) return "nothing to do";
    const driver::kernel_node_params& k = l.params;
    const auto extents = [](unsigned x, unsigned y, unsigned z) {
        std::string s = std::to_string(x);
        if (y != 1 || z != 1) s += "x" + std::to_string(y);
        if (z != 1) s += "x" + std::to_string(z);
        return s;
    };
    std::string s = "grid " + extents(k.grid_x, k.grid_y, k.grid_z) + ", block " + extents(k.block_x, k.block_y, k.block_z);
    for (unsigned i = 0; i < l.attribute_count; ++i) {
        const driver::launch_attribute& a = l.attributes[i];
        switch (a.id) {
        case driver::launch_attribute_id::cluster_dimension:
            s += ", cluster " + extents(a.value.cluster_dim.x, a.value.cluster_dim.y, a.value.cluster_dim.z);
            break;
        case driver::launch_attribute_id::cooperative: s += ", cooperative"; break;
        case driver::launch_attribute_id::programmatic_stream_serialization: s += ", pdl"; break;
        case driver::launch_attribute_id::priority: s += ", priority " + std::to_string(a.value.priority); break;
        default: s += ", attribute " + std::to_string(static_cast<unsigned>(a.id));
        }
    }
    if (k.shared_bytes != 0) s += ", " + std::to_string(k.shared_bytes) + " bytes shared";
    return s;
}

/// A step in a few lines.
struct step_text {
    std::string name, geometry, arguments, site;
};

/// The placeholder without a value that fills this of a step; empty where there is none.
template <class Program>
std::string unbound_in(const Program& p, use_kind kind, std::uint32_t index) {
    for (const slot& s : p.slots)
        for (std::uint32_t u = s.first_use; !s.bound && u < s.first_use + s.use_count; ++u)
            if (p.uses[u].kind == kind && p.uses[u].index == index)
                return "\"" + std::string{s.name.data(), s.name.size()} + "\"_arg (to be bound)";
    return {};
}

template <class Program>
step_text text_of_step(const Program& p, const step& s) {
    const auto address = [](driver::device_address a) {
        char text[24];
        std::snprintf(text, sizeof text, "%#llx", a);
        return std::string{text};
    };
    step_text t;
    switch (s.kind) {
    case step_kind::launch: {
        const launch_step& l = p.launches[s.index];
        t.name = registry_state::descriptor_name(*l.kernel);
        t.geometry = planned_geometry(l);
        t.arguments = planned_arguments(p, s.index);
        if (l.shape.site.line() != 0) t.site = file_of(l.shape.site.file_name()) + ":" + std::to_string(l.shape.site.line());
        break;
    }
    case step_kind::copy: {
        const driver::memcpy_3d& c = p.copies[s.index].params;
        const bool from_host = c.source_type == driver::memory_type::host, to_host = c.destination_type == driver::memory_type::host;
        t.name = "copy " + std::to_string(c.width_bytes) + " bytes";
        const std::string from = unbound_in(p, use_kind::copy_source, s.index), to = unbound_in(p, use_kind::copy_destination, s.index);
        t.arguments = (from_host       ? "host"
                       : !from.empty() ? from
                                       : address(c.source_device)) +
                      " to " +
                      (to_host       ? "host"
                       : !to.empty() ? to
                                     : address(c.destination_device));
        break;
    }
    case step_kind::fill: {
        const driver::memset_node_params& f = p.fills[s.index].params;
        t.name = "fill " + std::to_string(f.width * f.height) + " words of " + std::to_string(f.element_size) + " bytes";
        const std::string value = unbound_in(p, use_kind::fill_word, s.index);
        t.arguments = address(f.destination) + " with " + (value.empty() ? address(f.value) : value);
        break;
    }
    case step_kind::call: t.name = "call"; break;
    case step_kind::record: t.name = "record"; break;
    case step_kind::wait: t.name = "wait"; break;
    case step_kind::graph: t.name = "captured graph"; break;
    case step_kind::loop:
        t.name = "repeat_while";
        t.arguments = "flag " + address(p.loops[s.index].flag);
        break;
    case step_kind::test: t.name = "test of repeat_while " + std::to_string(p.tests[s.index].loop + 1); break;
    case step_kind::join: t.name = "barrier"; break;
    }
    return t;
}

/// `3: blas::axpy(alpha=2, ...), grid 4, block 256, at solver.cpp:88, after 1 2`
template <class Program>
std::string plan_text(const Program& p) {
    std::string all;
    for (std::size_t i = 0; i < p.steps.size(); ++i) {
        const step& s = p.steps[i];
        const step_text t = text_of_step(p, s);
        all += std::to_string(i) + ": " + t.name + (s.kind == step_kind::launch || t.arguments.empty() ? "" : " ") + t.arguments;
        if (!t.geometry.empty()) all += ", " + t.geometry;
        if (!t.site.empty()) all += ", at " + t.site;
        if (s.graph != main_graph) all += ", in repeat_while " + std::to_string(s.graph);
        for (std::uint32_t b = 0; b < s.before_count; ++b)
            all += (b == 0 ? ", after " : " ") + std::to_string(p.before[s.first_before + b]);
        if (edge_is_programmatic(p, s)) all += " (programmatic)";
        all += "\n";
    }
    return all;
}

template <class Program>
void print_plan(const Program& p) {
    std::fputs(plan_text(p).c_str(), stdout);
}

template <class Program>
std::string plan_dot(const Program& p) {
    std::string all = "digraph plan {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n";
    const auto escaped = [](const std::string& text) {
        std::string s;
        for (const char c : text) {
            if (c == '"' || c == '\\') s += '\\';
            s += c;
        }
        return s;
    };
    for (std::size_t i = 0; i < p.steps.size(); ++i) {
        const step& s = p.steps[i];
        const step_text t = text_of_step(p, s);
        all += "  n" + std::to_string(i) + " [label=\"" + escaped(t.name);
        for (const std::string* line : {&t.geometry, &t.arguments, &t.site})
            if (!line->empty()) all += "\\n" + escaped(*line);
        all += "\"";
        if (s.kind == step_kind::launch && p.launches[s.index].idle) all += ", color=grey, fontcolor=grey";
        if (s.kind != step_kind::launch) all += s.kind == step_kind::join ? ", shape=point" : ", style=rounded";
        all += "];\n";
    }
    for (std::size_t i = 0; i < p.steps.size(); ++i) {
        const step& s = p.steps[i];
        for (std::uint32_t b = 0; b < s.before_count; ++b)
            all += "  n" + std::to_string(p.before[s.first_before + b]) + " -> n" + std::to_string(i) +
                   (edge_is_programmatic(p, s) ? " [style=dashed]" : "") + ";\n";
    }
    return all + "}\n";
}

} // namespace hanabi::detail

#endif
