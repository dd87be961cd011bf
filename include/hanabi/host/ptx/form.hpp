// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A mnemonic taken apart: operation, types, modifiers. Made once for each different mnemonic of a module.

#ifndef HANABI_HOST_PTX_FORM_HPP
#define HANABI_HOST_PTX_FORM_HPP

#include <hanabi/host/ptx/program.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hanabi::host::ptx {

/// The handler of an instruction that works lane by lane, and the types of its operands. Predicates are type::pred.
struct chosen {
    handler run = nullptr;
    type result = type::none;
    type inputs[4] = {type::none, type::none, type::none, type::none};
    unsigned count = 0;

    explicit operator bool() const noexcept { return run != nullptr; }
};

/// All operands of one type.
inline chosen same(handler run, type t, unsigned count) noexcept {
    chosen out{run, t, {}, count};
    for (unsigned i = 0; i < 4; ++i) out.inputs[i] = i < count ? t : type::none;
    return out;
}
inline chosen typed(handler run, type result, std::initializer_list<type> inputs) noexcept {
    chosen out{run, result, {}, 0};
    for (const type t : inputs) out.inputs[out.count++] = t;
    return out;
}

struct form {
    std::string text;                    ///< the whole
    std::string_view op;                 ///< up to the first dot
    std::vector<std::string_view> words; ///< the modifiers, in order, without dots
    std::vector<type> types;
    ptx::space in = ptx::space::generic;
    bool has_space = false;
    rounding round = rounding::none;
    comparison compare = comparison::none;
    unsigned vector = 1;
    bool ftz = false, sat = false;
    chosen lanewise;         ///< filled by the decoder
    std::string_view beyond; ///< what of it the executor does not have; empty: nothing
    ptx::flow flow = ptx::flow::compute;
    int special = -1;

    bool has(std::string_view word) const noexcept {
        for (const std::string_view w : words)
            if (w == word) return true;
        return false;
    }
    type of(std::size_t i = 0) const noexcept { return i < types.size() ? types[i] : type::none; }
};

/// Takes a mnemonic apart.
inline void read_form(std::string_view mnemonic, form& f) {
    f.text = std::string{mnemonic};
    std::string_view rest = f.text;
    bool first = true;
    while (!rest.empty()) {
        const std::size_t dot = rest.find('.');
        const std::string_view word = rest.substr(0, dot);
        rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
        if (first) {
            f.op = word;
            first = false;
            continue;
        }
        f.words.push_back(word);
        if (const type t = type_of(word); t != type::none) {
            f.types.push_back(t);
            continue;
        }
        const auto space_is = [&](ptx::space s) {
            if (!f.has_space) f.in = s;
            f.has_space = true;
        };
        if (word == "global")
            space_is(ptx::space::global);
        else if (word == "shared" || word == "shared::cta")
            space_is(ptx::space::shared);
        else if (word == "shared::cluster")
            space_is(ptx::space::shared_cluster);
        else if (word == "local")
            space_is(ptx::space::local);
        else if (word == "const")
            space_is(ptx::space::constant);
        else if (word == "param" || word == "param::entry" || word == "param::func")
            space_is(ptx::space::param);
        else if (word == "ftz")
            f.ftz = true;
        else if (word == "sat")
            f.sat = true;
        else if (word == "v2")
            f.vector = 2;
        else if (word == "v4")
            f.vector = 4;
        else if (word == "v8")
            f.vector = 8;
        else {
            constexpr std::string_view roundings[] = {"rn", "rz", "rm", "rp", "rna", "rs", "rni", "rzi", "rmi", "rpi"};
            for (std::size_t i = 0; i < 10; ++i)
                if (roundings[i] == word) f.round = static_cast<rounding>(i + 1);
            constexpr std::string_view comparisons[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                                        "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
            if (f.op == "setp" || f.op == "set")
                for (std::size_t i = 0; i < 18; ++i)
                    if (f.compare == comparison::none && comparisons[i] == word) f.compare = static_cast<comparison>(i + 1);
        }
    }
}

} // namespace hanabi::host::ptx

#endif
