// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Descriptors against PTX text at compile time: static_assert(hanabi::matches(axpy, ptx)).

#ifndef HANABI_MATCHES_HPP
#define HANABI_MATCHES_HPP

#include <hanabi/descriptor.hpp>
#include <hanabi/detail/agreement.hpp>
#include <hanabi/image/parameter.hpp>
#include <hanabi/image/ptx.hpp>
#include <hanabi/image/ptx_parameter.hpp>
#include <hanabi/image/signature_table.hpp>
#include <hanabi/image/slice.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/refusal.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hanabi {

/// What of a descriptor an image contradicts.
enum class mismatch : unsigned char {
    none,
    the_image_is_no_ptx,              ///< compile time reads PTX text; other images by hanabi_add_module(... VERIFY ...)
    the_text_is_malformed,            ///< up to the kernel, or in its parameters
    a_pattern_is_matched_at_run_time, ///< hanabi::matching needs demangled names: see registry::require
    it_has_no_kernel_of_that_name,
    it_has_another_number_of_parameters,
    the_parameter_is_of_another_size,
    the_parameter_is_of_another_class, ///< floating point, integer, pointer
    a_hidden_parameter_is_no_pointer,
    the_block_has_fewer_threads_than_max_threads, ///< .maxntid or .reqntid against the contract
    the_block_is_another_than_required_threads,   ///< .reqntid or .maxntid against the contract
    the_cluster_is_another_than_cluster_size,     ///< .reqnctapercluster or .maxclusterrank against the contract
    it_does_not_wait_as_allows_pdl_says           ///< no griddepcontrol.wait
};

/// The first contradiction, with numbers.
struct match_result {
    mismatch what = mismatch::none;
    unsigned parameter = 0;           ///< 1-based; 0 where it is not about one
    std::uint32_t declared = 0;       ///< count or size in bytes
    std::uint32_t found = 0;          ///< the image's
    image::parameter_layout layout{}; ///< the image's parameter

    constexpr explicit operator bool() const noexcept { return what == mismatch::none; }
};

namespace detail {

/// Compares declared parameters with found ones, one after the other.
struct parameter_matcher {
    const descriptor& d;
    unsigned count = 0;
    match_result result{};

    constexpr void add(const image::parameter_layout& p) noexcept {
        const unsigned i = count++;
        if (result.what != mismatch::none) return;
        const bool declared = i < d.arity;
        const std::uint32_t size = declared ? d.parameters[i].size : static_cast<std::uint32_t>(sizeof(void*));
        const parameter_kind kind = declared ? d.parameters[i].kind : parameter_kind::pointer;
        const bool other_size = p.size != size;
        if (!other_size && agrees(kind, p.category) >= 0) return;
        result = {!declared    ? mismatch::a_hidden_parameter_is_no_pointer
                  : other_size ? mismatch::the_parameter_is_of_another_size
                               : mismatch::the_parameter_is_of_another_class,
                  i + 1, size, p.size, p};
    }
    /// After the last. A wrong number goes before whatever else is wrong.
    constexpr match_result finish() const noexcept {
        if (count >= d.arity && count <= d.arity + d.contracts->hidden) return result;
        return {mismatch::it_has_another_number_of_parameters, 0, d.arity, count, {}};
    }
};

/// Compares the contracts with the directives.
constexpr mismatch match_contracts(const contract_set& c, const image::launch_bounds& b, bool cannot_wait) noexcept {
    switch (contradicted_contract(c, b)) {
    case contract_of_launch::max_threads: return mismatch::the_block_has_fewer_threads_than_max_threads;
    case contract_of_launch::required_threads: return mismatch::the_block_is_another_than_required_threads;
    case contract_of_launch::cluster_size: return mismatch::the_cluster_is_another_than_cluster_size;
    case contract_of_launch::none: break;
    }
    return c.allows_pdl && cannot_wait ? mismatch::it_does_not_wait_as_allows_pdl_says : mismatch::none;
}

constexpr match_result match_text(const descriptor& d, const char* text, std::size_t size) noexcept {
    image::ptx_scanner scan{text, size};
    match_result result{mismatch::it_has_no_kernel_of_that_name};
    while (scan.find_entry(d.symbol)) { // a declaration may come before the definition
        const image::ptx_entry& e = scan.entry();
        image::ptx_parameters walk{e.parameters};
        image::ptx_parameter p;
        parameter_matcher m{d};
        while (walk.next(p)) m.add(p);
        if (walk.error()) return {mismatch::the_text_is_malformed};
        result = walk.known() ? m.finish() : match_result{}; // a type that this reader has not met: nothing is known then
        if (result && e.defined) result.what = match_contracts(*d.contracts, e.bounds, !e.waits && !e.calls);
        if (e.defined) return result;
    }
    if (!scan.error()) return result;
    return {scan.header().major == 0 ? mismatch::the_image_is_no_ptx : mismatch::the_text_is_malformed};
}

constexpr match_result match_rows(const descriptor& d, const image::signature_row* rows, std::size_t size) noexcept {
    match_result result{mismatch::it_has_no_kernel_of_that_name};
    const image::slice symbol{d.symbol};
    for (std::size_t i = 0; i < size;) {
        const char* const name = rows[i].entry;
        std::size_t n = 0; // characters that agree: most names differ early
        while (n < symbol.length && name[n] == symbol.first[n]) ++n;
        if (n != symbol.length || name[n] != '\0') {
            ++i;
            continue;
        }
        parameter_matcher m{d};
        if (rows[i].index == image::signature_row::unknown) {
            ++i;
            if (result.what == mismatch::it_has_no_kernel_of_that_name) result = {};
            continue;
        }
        if (rows[i].index == image::signature_row::none)
            ++i;
        else
            for (bool first = true; i < size && (first || rows[i].index > 0); ++i, first = false) m.add(rows[i].layout());
        result = m.finish();
        if (!result) return result;
    }
    return result;
}

/// What an image may be at compile time: characters or bytes with a size, a table.
template <class Image>
constexpr match_result match_image(const descriptor& d, const Image& image) noexcept {
    if (d.by_pattern) return {mismatch::a_pattern_is_matched_at_run_time};
    if constexpr (std::is_convertible_v<const Image&, image::signature_table>) {
        const image::signature_table table = image;
        const match_result result = match_rows(d, table.rows, table.size);
        return result.what == mismatch::it_has_no_kernel_of_that_name && !table.complete ? match_result{} : result;
    } else if constexpr (std::is_array_v<Image>) {
        using element = std::remove_cv_t<std::remove_extent_t<Image>>;
        static_assert(sizeof(element) == 1, "hanabi::matches: an image is an array of characters or bytes");
        constexpr std::size_t size = std::extent_v<Image>;
        if constexpr (std::is_same_v<element, char>)
            return match_text(d, image, size);
        else {
            char copy[size]{}; // constant evaluation has no other way from bytes to characters
            for (std::size_t i = 0; i < size; ++i) copy[i] = static_cast<char>(image[i]);
            return match_text(d, copy, size);
        }
    } else if constexpr (std::is_convertible_v<const Image&, const char*>) {
        return match_text(d, image, __builtin_strlen(image));
    } else {
        using element = std::remove_cv_t<std::remove_reference_t<decltype(*image.data())>>;
        static_assert(sizeof(element) == 1, "hanabi::matches: an image is a range of characters or bytes");
        const std::size_t size = image.size();
        if constexpr (std::is_same_v<element, char>)
            return match_text(d, image.data(), size);
        else {
            char* const copy = new char[size + 1]{};
            for (std::size_t i = 0; i < size; ++i) copy[i] = static_cast<char>(image.data()[i]);
            const match_result result = match_text(d, copy, size);
            delete[] copy;
            return result;
        }
    }
}

} // namespace detail

/// What an image contradicts of a descriptor, first of all that there is a kernel of its symbol; for compile time. The
/// image is PTX: a string literal, a NUL-terminated pointer, an array or range of char, or one of unsigned char, signed char or std::byte (what xxd and
/// #embed make); or a signature table. Trailing NULs are no part of it. Every contradiction that hanabi::verify finds in the
/// same PTX is found, in the same way: what is unproved passes. PTX of 100 KB takes a tenth of the constant evaluation that
/// compilers allow by default.
template <kernel_descriptor K, class Image>
constexpr match_result match(const K&, const Image& image) noexcept {
    return detail::match_image(K::info, image);
}

/// Whether match finds nothing: `static_assert(hanabi::matches(axpy, ptx));`.
template <kernel_descriptor K, class Image>
constexpr bool matches(const K&, const Image& image) noexcept {
    return detail::match_image(K::info, image).what == mismatch::none;
}

/// The error of require_match: the kernel, what is wrong, and as far as it is about them: the parameter's 1-based number and
/// name, what is declared and what the image has. Never defined: its name is the message.
template <text Kernel, mismatch Because, class... DeclaredAndFound>
struct descriptor_does_not_match_the_image;

/// The parts of that message.
template <unsigned Number, text Name>
struct parameter_number;
template <std::size_t Bytes>
struct declared_bytes;
template <text Type, std::size_t Bytes>
struct image_has;

namespace detail {

template <auto Type, bool Array>
constexpr auto scalar_text() noexcept {
    constexpr name_view name = image::name_of(Type);
    text<name.size() + (Array ? 3 : 1)> t;
    t.characters[0] = '.';
    for (std::size_t i = 0; i < name.size(); ++i) t.characters[i + 1] = name.data()[i];
    if (Array) {
        t.characters[name.size() + 1] = '[';
        t.characters[name.size() + 2] = ']';
    }
    return t;
}

/// In the body of a function that is only asked for its type, so that it is the only error.
template <class K, const auto& Image>
constexpr auto require_match() {
    constexpr match_result r = match_image(K::info, Image);
    if constexpr (r.what == mismatch::it_has_another_number_of_parameters)
        (void)sizeof(descriptor_does_not_match_the_image<K::label(), r.what, expected_count<r.declared>, given_count<r.found>>);
    else if constexpr (r.parameter != 0)
        (void)sizeof(descriptor_does_not_match_the_image<
                     K::label(), r.what, parameter_number<r.parameter, K::template parameter_label<r.parameter - 1>()>,
                     declared_bytes<r.declared>, image_has<scalar_text<r.layout.type, r.layout.array>(), r.found>>);
    else if constexpr (r.what != mismatch::none)
        (void)sizeof(descriptor_does_not_match_the_image<K::label(), r.what>);
    return true;
}

} // namespace detail

/// True, or an error that says what is wrong: `static_assert(hanabi::require_match<axpy, ptx>);`. The image is an object of
/// static storage.
template <const auto& Kernel, const auto& Image>
inline constexpr bool require_match = sizeof(detail::require_match<std::remove_cvref_t<decltype(Kernel)>, Image>()) == sizeof(bool);

} // namespace hanabi

#endif
