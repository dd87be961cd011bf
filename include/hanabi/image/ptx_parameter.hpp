// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A kernel's parameter list in PTX text, and declarations at large.

#ifndef HANABI_IMAGE_PTX_PARAMETER_HPP
#define HANABI_IMAGE_PTX_PARAMETER_HPP

#include <hanabi/image/parameter.hpp>
#include <hanabi/image/ptx_token.hpp>
#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::image {

/// One parameter, with the name it has in the text.
struct ptx_parameter : parameter_layout {
    slice name;
};

namespace detail {

/// A type directive without its dot.
constexpr scalar scalar_named(slice name) noexcept {
    constexpr struct {
        const char* name;
        scalar type;
    } known[] = {{"u64", scalar::u64},       {"u32", scalar::u32},           {"b8", scalar::b8},         {"f32", scalar::f32},
                 {"u8", scalar::u8},         {"u16", scalar::u16},           {"f64", scalar::f64},       {"b32", scalar::b32},
                 {"b64", scalar::b64},       {"b16", scalar::b16},           {"s32", scalar::s32},       {"s64", scalar::s64},
                 {"s8", scalar::s8},         {"s16", scalar::s16},           {"f16", scalar::f16},       {"bf16", scalar::bf16},
                 {"b128", scalar::b128},     {"f16x2", scalar::f16x2},       {"bf16x2", scalar::bf16x2}, {"tf32", scalar::tf32},
                 {"texref", scalar::opaque}, {"samplerref", scalar::opaque}, {"surfref", scalar::opaque}};
    for (const auto& k : known)
        if (name.length > 1 && k.name[0] == name.first[0] && k.name[1] == name.first[1] && name == slice{k.name}) return k.type;
    return scalar::unknown;
}

constexpr value_class class_of(scalar t, bool array, bool pointer) noexcept {
    if (pointer) return value_class::pointer;
    if (array) return value_class::bytes;
    switch (t) {
    case scalar::u8:
    case scalar::u16:
    case scalar::u32:
    case scalar::s8:
    case scalar::s16:
    case scalar::s32: return value_class::integer;
    case scalar::u64:
    case scalar::s64: return value_class::integer_or_pointer;
    case scalar::f16:
    case scalar::bf16:
    case scalar::f16x2:
    case scalar::bf16x2:
    case scalar::tf32:
    case scalar::f32:
    case scalar::f64: return value_class::floating;
    default: return value_class::unknown;
    }
}

/// A decimal, octal or hexadecimal literal, with or without the U of PTX; false where it is none or does not fit.
constexpr bool parse_number(slice digits, std::uint64_t& value) noexcept {
    std::size_t i = 0;
    std::size_t n = digits.length;
    std::uint64_t base = 10;
    if (n > 1 && digits.first[n - 1] == 'U') --n;
    if (n > 2 && digits.first[0] == '0' && (digits.first[1] == 'x' || digits.first[1] == 'X')) {
        base = 16;
        i = 2;
    } else if (n > 1 && digits.first[0] == '0')
        base = 8;
    value = 0;
    if (i == n) return false;
    for (; i < n; ++i) {
        const char c = digits.first[i];
        std::uint64_t d = 99;
        if (c >= '0' && c <= '9')
            d = static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            d = static_cast<std::uint64_t>(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            d = static_cast<std::uint64_t>(c - 'A') + 10;
        if (d >= base || value > (~std::uint64_t{0} - d) / base) return false;
        value = value * base + d;
    }
    return true;
}

/// What a declaration says between its state space and its semicolon, comma or parenthesis: type, alignment, vector
/// width, pointer attributes, name and bounds, in any order that makes sense.
struct ptx_declarator {
    scalar type = scalar::unknown;
    bool odd = false; ///< a modifier that this reader does not know: size and class are not to be trusted
    bool array = false;
    bool unbounded = false;
    bool pointer = false;
    bool managed = false;
    state_space pointee_space = state_space::generic;
    std::uint32_t vector = 1;
    std::uint32_t align = 0;
    std::uint32_t pointee_align = 0;
    std::uint64_t bound = 1;
    slice name;

    constexpr std::uint64_t element() const noexcept { return std::uint64_t{size_of(type)} * vector; }
    constexpr std::uint64_t size() const noexcept { return odd || unbounded ? 0 : element() * bound; }
    constexpr std::uint32_t alignment() const noexcept { return align != 0 ? align : static_cast<std::uint32_t>(element()); }
};

inline constexpr std::uint64_t largest_object = std::uint64_t{1} << 48;

constexpr std::uint32_t read_alignment(ptx_tokens& in) noexcept {
    const token t = in.next();
    std::uint64_t value = 0;
    if (t.kind != token_kind::number || !parse_number(t.text, value) || value == 0 || value > (1u << 30) || (value & (value - 1)) != 0) {
        in.fail("an alignment that is no power of two", t.kind == token_kind::end ? in.position() : t.text.first);
        return 1;
    }
    return static_cast<std::uint32_t>(value);
}

/// Reads the modifiers up to the name, and the name; false on a fault.
constexpr bool read_declaration(ptx_tokens& in, ptx_declarator& d) noexcept {
    while (true) {
        const token t = in.next();
        if (t.kind == token_kind::word) {
            d.name = t.text;
            return true;
        }
        if (t.kind != token_kind::directive) {
            if (!in.error()) in.fail("a declaration without a name", t.kind == token_kind::end ? in.position() : t.text.first);
            return false;
        }
        const scalar type = scalar_named({t.text.first + 1, t.text.length - 1});
        if (type != scalar::unknown)
            d.type = type;
        else if (t.is(".align")) {
            if (d.pointer)
                d.pointee_align = read_alignment(in);
            else
                d.align = read_alignment(in);
        } else if (t.is(".ptr"))
            d.pointer = true;
        else if (d.pointer && t.is(".global"))
            d.pointee_space = state_space::global;
        else if (d.pointer && t.is(".const"))
            d.pointee_space = state_space::constant;
        else if (d.pointer && t.is(".shared"))
            d.pointee_space = state_space::shared;
        else if (d.pointer && t.is(".local"))
            d.pointee_space = state_space::local;
        else if (d.pointer && t.is(".param"))
            d.pointee_space = state_space::param;
        else if (d.pointer && t.is(".generic"))
            d.pointee_space = state_space::generic;
        else if (t.is(".v2"))
            d.vector = 2;
        else if (t.is(".v4"))
            d.vector = 4;
        else if (t.is(".v8"))
            d.vector = 8;
        else if (t.is(".attribute")) {
            const char* const opening = in.position();
            if (!in.next().is('(')) {
                in.fail("an attribute without a list", opening);
                return false;
            }
            const char* const inside = in.position();
            if (!in.skip_brackets(opening, "an attribute list that is not closed")) return false;
            ptx_tokens list{inside, inside, in.position()};
            for (token a = list.next(); a.kind != token_kind::end; a = list.next())
                if (a.is(".managed")) d.managed = true;
        } else
            d.odd = true;
        if (in.error()) return false;
    }
}

/// Reads the bounds that follow a name: [4][2] or [].
constexpr bool read_bounds(ptx_tokens& in, ptx_declarator& d) noexcept {
    while (in.peek().is('[')) {
        in.next();
        d.array = true;
        const token t = in.next();
        if (t.is(']')) {
            d.unbounded = true;
            continue;
        }
        std::uint64_t value = 0;
        if (t.kind != token_kind::number || !parse_number(t.text, value) || !in.next().is(']')) {
            in.fail("an array bound that is no number", t.kind == token_kind::end ? in.position() : t.text.first);
            return false;
        }
        if (value > largest_object || d.bound > largest_object / (value == 0 ? 1 : value) || d.bound * value > largest_object / 128) {
            in.fail("an array bound that is out of range", t.text.first);
            return false;
        }
        d.bound *= value;
    }
    return !in.error();
}

} // namespace detail

/// Walks the parameters of one entry, in order. Offsets follow from sizes and alignments as ptxas lays them out up to
/// 16-byte alignment; after a parameter that is aligned more they are not known (offset_known), since ptxas aligns the
/// address of the whole bank then.
class ptx_parameters {
  public:
    constexpr explicit ptx_parameters(slice list) noexcept : in_{list.first, list.first, list.first + list.length} {}

    /// The next parameter; false at the end of the list and on a fault. A fault's offset counts from the beginning of
    /// the list.
    constexpr bool next(ptx_parameter& out) noexcept {
        token t = in_.next();
        if (t.kind == token_kind::end) {
            if (comma_ && !in_.error()) in_.fail("a parameter is missing after the comma", in_.position());
            return false;
        }
        if (!t.is(".param")) {
            in_.fail("a parameter must begin with .param", t.text.first);
            return false;
        }
        detail::ptx_declarator d;
        if (!detail::read_declaration(in_, d) || !detail::read_bounds(in_, d)) return false;
        t = in_.next();
        comma_ = t.is(',');
        if (!comma_ && t.kind != token_kind::end) {
            in_.fail("a comma or the end of the list must follow a parameter", t.text.first);
            return false;
        }
        if (in_.error()) return false;
        out = {};
        out.name = d.name;
        if (d.type == scalar::unknown || d.unbounded) d.odd = true;
        const std::uint64_t size = d.size();
        if (size > 0x3fffffff) {
            in_.fail("a parameter that is out of range", d.name.first);
            return false;
        }
        out.type = d.type;
        out.category = d.odd ? value_class::unknown : detail::class_of(d.type, d.array || d.vector != 1, d.pointer);
        out.array = d.array;
        out.bound = d.array && !d.unbounded ? static_cast<std::uint32_t>(d.bound) : 0;
        out.pointer = d.pointer;
        out.pointee_space = d.pointee_space;
        out.pointee_align = d.pointee_align;
        out.size = static_cast<std::uint32_t>(size);
        out.align = d.alignment();
        if (d.odd || out.align > 16) certain_ = false;
        if (out.align != 0) end_ = (end_ + out.align - 1) / out.align * out.align;
        out.offset = static_cast<std::uint32_t>(end_);
        out.offset_known = certain_;
        end_ += size;
        if (end_ > 0x3fffffff) {
            in_.fail("parameters that are out of range", d.name.first);
            return false;
        }
        if (d.odd) known_ = false;
        ++count_;
        return true;
    }

    constexpr fault error() const noexcept { return in_.error(); }
    /// Number of parameters so far.
    constexpr std::size_t count() const noexcept { return count_; }
    /// Bytes so far: the end of the last parameter, no tail padding.
    constexpr std::size_t bytes() const noexcept { return static_cast<std::size_t>(end_); }
    /// Whether every parameter so far was of a form this reader knows.
    constexpr bool known() const noexcept { return known_; }

  private:
    ptx_tokens in_;
    std::uint64_t end_ = 0;
    std::size_t count_ = 0;
    bool comma_ = false;
    bool certain_ = true;
    bool known_ = true;
};

} // namespace hanabi::image

#endif
