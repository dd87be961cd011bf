// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What PTX text holds that the image readers leave out, and a driver needs: the static shared memory of each kernel and
/// the initial values of variables.

#ifndef HANABI_HOST_PTX_DETAIL_HPP
#define HANABI_HOST_PTX_DETAIL_HPP

#include <hanabi/image/ptx.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::host::detail {

/// What this file finds, by symbol.
struct ptx_details {
    std::map<std::string, std::size_t> static_shared;
    std::map<std::string, std::vector<std::byte>> initial;
};

/// A place for shared variables, one after the other.
inline void place_shared(std::size_t& end, const image::detail::ptx_declarator& d) {
    if (d.size() == 0) return; // extern, unbounded: dynamic
    const std::size_t align = d.alignment() == 0 ? 1 : d.alignment();
    end = (end + align - 1) / align * align + static_cast<std::size_t>(d.size());
}

/// Declarations of shared variables between two places of the text; the words in between.
inline std::size_t shared_in_body(const char* first, const char* last, std::set<std::string>& words) {
    image::ptx_tokens in{first, first, last};
    std::size_t end = 0;
    bool begins = true; // a statement
    for (image::token t = in.next(); t.kind != image::token_kind::end; t = in.next()) {
        if (begins && t.is(".shared")) {
            image::detail::ptx_declarator d;
            if (!image::detail::read_declaration(in, d) || !image::detail::read_bounds(in, d)) break;
            place_shared(end, d);
            begins = false;
            continue;
        }
        if (t.kind == image::token_kind::word) words.emplace(t.text.first, t.text.length);
        begins = t.is(';') || t.is('{') || t.is('}') || t.is(':');
    }
    return end;
}

/// The initial value of a variable, element by element; addresses of other variables count as zero.
inline std::vector<std::byte> initial_value(const char* text, const char* last, const image::ptx_variable& v) {
    std::vector<std::byte> out;
    image::ptx_tokens in{text, text + v.offset, last};
    std::size_t element = image::size_of(v.type);
    if (element == 0) return out;
    image::token t = in.next();
    while (t.kind != image::token_kind::end && !t.is('=') && !t.is(';')) t = in.next();
    if (!t.is('=')) return out;
    std::size_t depth = 0;
    bool negative = false;
    for (t = in.next(); t.kind != image::token_kind::end && !t.is(';') && !(depth == 0 && t.is(',')); t = in.next()) {
        if (t.is('{') || t.is('('))
            ++depth;
        else if (t.is('}') || t.is(')'))
            --depth;
        else if (t.is('-'))
            negative = true;
        else if (t.kind == image::token_kind::number) {
            const std::string digits{t.text.first, t.text.length};
            std::uint64_t bits = 0;
            const bool hex_float = digits.size() > 2 && digits[0] == '0' && std::strchr("fFdD", digits[1]) != nullptr;
            const bool floating = v.type == image::scalar::f32 || v.type == image::scalar::f64;
            if (hex_float)
                bits = std::strtoull(digits.c_str() + 2, nullptr, 16);
            else if (floating) {
                const double value = (negative ? -1 : 1) * std::strtod(digits.c_str(), nullptr);
                if (element == 8)
                    std::memcpy(&bits, &value, 8);
                else {
                    const float narrow = static_cast<float>(value);
                    std::memcpy(&bits, &narrow, 4);
                }
            } else {
                bits = std::strtoull(digits.c_str(), nullptr, 0);
                if (negative) bits = ~bits + 1;
            }
            negative = false;
            for (std::size_t i = 0; i < element; ++i) out.push_back(static_cast<std::byte>(i < 8 ? bits >> (8 * i) & 0xff : 0));
        } else if (t.kind == image::token_kind::word)
            out.resize(out.size() + element);
    }
    if (out.size() > v.size) out.resize(static_cast<std::size_t>(v.size));
    return out;
}

/// Reads them all; what is malformed is left out, since the readers have complained about it.
inline ptx_details read_ptx_details(image::slice text) {
    ptx_details out;
    image::ptx_scanner scan{text};
    const char* const last = text.first + text.length;
    std::map<std::string, image::ptx_variable> shared;
    struct kernel {
        std::string name;
        std::size_t begin;
        std::size_t end;
    };
    std::vector<kernel> kernels;
    std::size_t* open = nullptr;
    for (image::ptx_item item = scan.next(); item != image::ptx_item::end; item = scan.next()) {
        std::size_t here = 0;
        if (item == image::ptx_item::entry)
            here = scan.entry().offset;
        else if (item == image::ptx_item::function)
            here = scan.function().offset;
        else
            here = scan.variable().offset;
        if (open != nullptr) *open = here;
        open = nullptr;
        if (item == image::ptx_item::entry && scan.entry().defined) {
            const image::ptx_entry& e = scan.entry();
            kernels.push_back({{e.name.first, e.name.length}, static_cast<std::size_t>(e.parameters.end() - text.first), text.length});
            open = &kernels.back().end;
        } else if (item == image::ptx_item::variable) {
            const image::ptx_variable& v = scan.variable();
            const std::string name{v.name.first, v.name.length};
            if (v.space == image::state_space::shared)
                shared[name] = v;
            else if (v.initialised)
                out.initial[name] = initial_value(text.first, last, v);
        }
    }
    for (const kernel& k : kernels) {
        std::set<std::string> words;
        std::size_t bytes = shared_in_body(text.first + k.begin, text.first + k.end, words);
        for (const auto& [name, v] : shared) {
            if (v.size == 0 || !words.contains(name)) continue;
            const std::size_t align = v.align == 0 ? 1 : v.align;
            bytes = (bytes + align - 1) / align * align + static_cast<std::size_t>(v.size);
        }
        out.static_shared[k.name] = bytes;
    }
    return out;
}

} // namespace hanabi::host::detail

#endif
