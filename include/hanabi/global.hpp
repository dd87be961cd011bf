// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Device variables: descriptors of __device__ and __constant__ variables, and the typed access to a loaded one.

#ifndef HANABI_GLOBAL_HPP
#define HANABI_GLOBAL_HPP

#include <hanabi/copy.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/device_span.hpp>
#include <hanabi/mangling.hpp>
#include <hanabi/stream.hpp>
#include <hanabi/symbol.hpp>
#include <hanabi/text.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace hanabi {

namespace detail {
struct registry_state;
}

/// A __device__ or __constant__ variable of a module, by the module's name, the variable's and its type (an array type for
/// an array). `cxx("ns::name")` for one in a namespace; at global scope the plain name. An empty constexpr object:
///
///     inline constexpr hanabi::global<"blas", "table", float[32]> table;
///
/// registry::variable(table) gives access to it, after a check of its size.
template <text Module, symbol Symbol, class T>
struct global {
    static_assert(std::is_trivially_copyable_v<T>, "hanabi::global: the variable's type must be trivially copyable");
    using value_type = std::remove_cv_t<T>;
    static constexpr name_view module_name = Module.view();
    static constexpr name_view symbol = variable_linker_name<Symbol>;
};

namespace detail {

template <class T>
struct variable_value {
    using element = T;
    using value = T;
    static constexpr std::size_t count = 1;
};
template <class T, std::size_t N>
struct variable_value<T[N]> {
    using element = T;
    using value = std::array<T, N>;
    static constexpr std::size_t count = N;
};

} // namespace detail

/// A variable of a loaded module: reads and writes by copy on the registry's stream, so in order with the launches there.
/// Keeps the registry's modules alive; after unload() every use is errc::module_unloaded. Copies name the same variable.
/// Any thread.
template <class T>
class device_variable {
    using traits = detail::variable_value<T>;

  public:
    /// T, or for an array T[N] a std::array.
    using value_type = typename traits::value;
    using element_type = typename traits::element;

    /// Where it lies.
    device_ptr<element_type> data() const noexcept { return data_; }
    static constexpr std::size_t size() noexcept { return traits::count; }
    static constexpr std::size_t size_bytes() noexcept { return sizeof(T); }
    /// As a span, for kernel arguments and copies.
    device_span<element_type> span() const noexcept { return {data_, traits::count}; }

    /// The value once the registry's stream has done what is queued on it. Waits.
    value_type read() const {
        check("hanabi::device_variable::read");
        value_type value;
        copy(std::span<element_type>{reinterpret_cast<element_type*>(&value), traits::count}, span(), queue());
        return value;
    }
    /// Sets the value, in order with the launches on the registry's stream. Waits, so that the source may go.
    void write(const value_type& value) const {
        check("hanabi::device_variable::write");
        copy(span(), std::span<const element_type>{reinterpret_cast<const element_type*>(&value), traits::count}, queue());
    }
    /// Sets an array from a range of as many elements. Error: errc::size_mismatch.
    template <class Range>
    requires(std::is_array_v<T> && !std::is_same_v<std::remove_cvref_t<Range>, value_type>) void write(const Range& values) const {
        check("hanabi::device_variable::write");
        copy(span(), values, queue());
    }

    /// For the library's own use; the names are the descriptor's.
    device_variable(detail::shared<detail::registry_state> registry, device_ptr<element_type> data, name_view module,
                    name_view symbol) noexcept
        : registry_{std::move(registry)}, data_{data}, module_{module}, symbol_{symbol} {}

  private:
    void check(const char* operation) const;
    stream queue() const;

    detail::shared<detail::registry_state> registry_;
    device_ptr<element_type> data_;
    name_view module_, symbol_;
};

} // namespace hanabi

#endif
