// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a launch is expected to be: a kernel, perhaps a geometry, perhaps arguments.

#ifndef HANABI_TEST_LAUNCH_PATTERN_HPP
#define HANABI_TEST_LAUNCH_PATTERN_HPP

#include <hanabi/expression.hpp>
#include <hanabi/geometry.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/test/argument_pattern.hpp>
#include <hanabi/test/known_kernel.hpp>
#include <hanabi/test/launched.hpp>
#include <hanabi/test/print_geometry.hpp>
#include <hanabi/test/print_host.hpp>
#include <hanabi/test/print_kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::test {

/// The kernel, geometry and arguments of a launch that a test expects. Made by a_launch_of; holds values, and refers to
/// nothing but the descriptor.
class launch_pattern {
  public:
    explicit launch_pattern(const descriptor& kernel) : kernel_{&kernel} { detail::remember(kernel); }

    /// Whether the launch is as expected.
    bool matches(const host::launch_record& r) const { return is_of_kernel(r) && mismatches(r).empty(); }

    /// Whether it is a launch of the kernel, however it was launched.
    bool is_of_kernel(const host::launch_record& r) const { return detail::is_named(r, *kernel_); }

    /// What of a launch of the kernel is not as expected, each in words: `alpha is 1, not 2`.
    std::vector<std::string> mismatches(const host::launch_record& r) const {
        std::vector<std::string> all;
        if (!detail::has_parameters_of(r, *kernel_)) {
            std::string sizes;
            for (const auto& bytes : r.arguments) sizes += (sizes.empty() ? "" : ", ") + std::to_string(bytes.size());
            all.push_back("its parameters are of other sizes than the descriptor's (" + sizes + ")");
            return all;
        }
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            if (!arguments_[i].accepts || arguments_[i].accepts(r.arguments[i].data())) continue;
            const parameter& p = kernel_->parameters[i];
            all.push_back(parameter_name(i) + " is " + value_text(p.kind, p.size, r.arguments[i].data(), p.visit_fields) + ", not " +
                          arguments_[i].expected);
        }
        if (has_geometry_) compare_geometry(r, all);
        return all;
    }

    const descriptor& kernel() const noexcept { return *kernel_; }

    /// `blas::axpy[over(1000)](alpha=2, x=any, y=any, n=1024)`; without geometry or arguments where none are expected.
    std::string text() const {
        std::string s = detail::qualified_name(*kernel_);
        if (has_geometry_)
            s += "[" + detail::geometry_text(shape_, terms_, attributes_.data(), static_cast<unsigned>(attributes_.size())) + "]";
        if (arguments_.empty()) return s;
        s += "(";
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            s += i == 0 ? "" : ", ";
            if (const name_view name = kernel_->parameter_name(i); !name.empty()) s += detail::string_of(name) + "=";
            s += arguments_[i].expected;
        }
        return s + ")";
    }
    friend std::ostream& operator<<(std::ostream& out, const launch_pattern& p) { return out << p.text(); }

    /// For the library's own use.
    void expect_arguments(std::vector<detail::argument_pattern> arguments) { arguments_ = std::move(arguments); }
    template <unsigned Terms, class Block, unsigned N>
    void expect_geometry(const geometry<Terms, Block, N>& g) {
        has_geometry_ = true;
        shape_ = g;
        terms_ = Terms;
        attributes_.assign(g.attributes.data(), g.attributes.data() + N);
    }

  private:
    std::string parameter_name(std::size_t i) const {
        const name_view name = kernel_->parameter_name(i);
        return name.empty() ? "argument " + std::to_string(i + 1) : detail::string_of(name);
    }

    /// The geometry as a launch would have it: the same grid and block, the same dynamic shared memory; the cluster and the
    /// attributes that were said. Attributes that were not said are not looked at.
    void compare_geometry(const host::launch_record& r, std::vector<std::string>& all) const {
        const auto differ = [&](const char* what, const std::string& found, const std::string& expected) {
            all.push_back(std::string{what} + " is " + found + ", not " + expected);
        };
        const auto compare = [&](const char* what, const host::extent& found, const std::uint64_t(&expected)[3]) {
            if (found.x != expected[0] || found.y != expected[1] || found.z != expected[2])
                differ(what, detail::axes_text(found.x, found.y, found.z), detail::axes_text(expected));
        };
        std::uint64_t block[3] = {shape_.block[0], shape_.block[1], shape_.block[2]};
        if ((terms_ & term::occupancy) != 0) { // the driver has chosen it
            block[0] = r.block.x;
            block[1] = r.block.y;
            block[2] = r.block.z;
        }
        std::uint64_t grid[3];
        for (int i = 0; i < 3; ++i)
            grid[i] = (terms_ & term::grid) != 0               ? shape_.extent[i]
                      : block[i] == 0 || shape_.extent[i] == 0 ? 0
                                                               : (shape_.extent[i] - 1) / block[i] + 1;
        compare("the grid", r.grid, grid);
        compare("the block", r.block, block);
        if ((terms_ & term::cluster) != 0) compare("the cluster", r.cluster, shape_.cluster);
        if (r.shared_bytes != shape_.shared)
            differ("dynamic shared memory", detail::counted(r.shared_bytes, "byte"), detail::counted(shape_.shared, "byte"));
        for (const driver::launch_attribute& expected : attributes_) {
            if (expected.id == driver::launch_attribute_id::cluster_dimension) continue;
            const driver::launch_attribute* found = nullptr;
            for (const driver::launch_attribute& a : r.attributes)
                if (a.id == expected.id) found = &a;
            // By what is printed: the bytes of the value behind the attribute's own are nobody's.
            const std::string wanted = detail::attribute_text(expected);
            if (found == nullptr)
                all.push_back("the launch is not " + wanted);
            else if (const std::string is = detail::attribute_text(*found); is != wanted)
                differ("an attribute", is, wanted);
        }
    }

    const descriptor* kernel_;
    bool has_geometry_ = false;
    launch_shape shape_{};
    unsigned terms_ = 0;
    std::vector<driver::launch_attribute> attributes_;
    std::vector<detail::argument_pattern> arguments_; ///< one for each parameter, or none
};

namespace detail {

/// What the errors of a launch are to judge in an argument's place: what is a pattern counts as open.
template <class P, class A>
using judged = std::conditional_t<manner_of<P, A>() == manner::none, A, argument_name<"pattern">>;

template <class A>
inline constexpr bool is_pattern_of_named = false;
template <text Name, class A>
inline constexpr bool is_pattern_of_named<named_argument<Name, A>> = true;

/// An argument by its position among named ones; `any` where none has the name.
template <std::size_t I, class... A>
decltype(auto) value_or_any(A&&... arguments) {
    if constexpr (I == sizeof...(A))
        return (any); // no copy: the arguments' references decide how they are converted
    else
        return hanabi::detail::select<I>(static_cast<A&&>(arguments)...);
}
template <text Name, class A>
A&& unnamed(const named_argument<Name, A>& named) noexcept {
    return static_cast<A&&>(named.value);
}
inline const any_argument& unnamed(const any_argument& a) noexcept { return a; }

/// Instantiates the error of a placeholder without a value, where a launch would leave it open.
template <class First, class... A>
constexpr auto report_placeholder() {
    using D = std::remove_cvref_t<First>;
    if constexpr (hanabi::detail::is_open<D>)
        (void)sizeof(a_placeholder_is_no_value<D::name>);
    else
        report_placeholder<A...>();
    return 0;
}

template <class Kernel, class... P, class... A>
void expect_in_order(launch_pattern& pattern, hanabi::detail::list<P...>, A&&... arguments) {
    if constexpr (sizeof...(A) != sizeof...(P))
        (void)sizeof(wrong_number_of_arguments<Kernel::label(), expected_count<sizeof...(P)>, given_count<sizeof...(A)>>);
    else if constexpr ((hanabi::detail::is_open<A> || ...))
        report_placeholder<A...>();
    else if constexpr (((manner_of<P, A>() == manner::none) || ...))
        hanabi::detail::report_arguments<Kernel>(hanabi::detail::list<P...>{}, hanabi::detail::list<judged<P, A>...>{});
    else
        pattern.expect_arguments({make_argument_pattern<P>(static_cast<A&&>(arguments))...});
}

template <class Kernel, std::size_t... I, class... A>
void expect_by_name(launch_pattern& pattern, std::index_sequence<I...>, A&&... arguments) {
    if constexpr (!(hanabi::detail::is_named<A> && ...))
        (void)sizeof(arguments_are_either_all_named_or_none<Kernel::label()>);
    else if constexpr (Kernel::info.contracts->name_count == 0)
        (void)sizeof(parameters_have_no_names<Kernel::label()>);
    else {
        using call = hanabi::detail::named_call<Kernel, std::remove_cvref_t<A>...>;
        if constexpr (!call::distinct() || call::unknown() != sizeof...(A) || call::repeated() != sizeof...(A))
            hanabi::detail::report_names<Kernel, std::remove_cvref_t<A>...>();
        else
            expect_in_order<Kernel>(pattern, typename Kernel::parameters{},
                                    unnamed(value_or_any<call::position(I)>(static_cast<A&&>(arguments)...))...);
    }
}

template <class Kernel, class... A>
void expect_arguments(launch_pattern& pattern, A&&... arguments) {
    if constexpr (sizeof...(A) == 0)
        return; // launched in whatever way
    else if constexpr ((hanabi::detail::is_named<A> || ...))
        expect_by_name<Kernel>(pattern, std::make_index_sequence<Kernel::arity>{}, static_cast<A&&>(arguments)...);
    else
        expect_in_order<Kernel>(pattern, typename Kernel::parameters{}, static_cast<A&&>(arguments)...);
}

/// Patterns of the arguments in a launch expression: those still open may be anything.
template <class... P, std::size_t... I, class... Open>
void expect_written(launch_pattern& pattern, const std::byte* arguments, hanabi::detail::list<P...>, std::index_sequence<I...>,
                    hanabi::detail::list<Open...>) {
    const descriptor& kernel = pattern.kernel();
    const auto one = [&]<class Q>(std::size_t i, Q*) -> argument_pattern {
        const std::size_t offset = kernel.parameters[i].offset;
        if (((Open::offset == offset) || ...)) return {{}, "any"};
        return exactly<Q>(std::vector<std::byte>(arguments + offset, arguments + offset + sizeof(Q)));
    };
    pattern.expect_arguments({one(I, static_cast<P*>(nullptr))...});
}

} // namespace detail

/// A launch of the kernel. Without arguments, in whatever way; else with these, one for each parameter in order, or some of
/// them by name in any order (the others may be anything):
///
///     a_launch_of(axpy, 2.0f, x, any, 1024)
///     a_launch_of(axpy, "n"_arg = 1024, "alpha"_arg = approximately(2.0, 0.1))
///
/// A value passes and converts as it does in a launch, and what a launch refuses does not compile, with the launch's error.
/// In a value's place: `any`, `approximately(value, tolerance)`, or a predicate (an object called with the argument, a
/// pointer as device_ptr). NaN equals NaN; objects compare by ==, else by described fields, else by bytes.
template <kernel_descriptor K, class... A>
launch_pattern a_launch_of(const K&, A&&... arguments) {
    launch_pattern pattern{K::info};
    detail::expect_arguments<K>(pattern, static_cast<A&&>(arguments)...);
    return pattern;
}

/// The same with a geometry: `a_launch_of(axpy[over(n)], 2.0f, x, y, n)`. Grid, block and dynamic shared memory must be what
/// the geometry comes to; cluster and launch attributes are compared where the geometry says them.
template <class K, class G, class... P, class... A>
launch_pattern a_launch_of(const hanabi::detail::configured<K, G, P...>& kernel, A&&... arguments) {
    launch_pattern pattern{K::info};
    pattern.expect_geometry(kernel.shape);
    detail::expect_arguments<K>(pattern, static_cast<A&&>(arguments)...);
    return pattern;
}

/// The launch of an expression: `a_launch_of(axpy[over(n)]("alpha"_arg, x, y, n))`. Arguments left open may be anything.
template <class K, class G, class... Open>
launch_pattern a_launch_of(const launch<K, G, Open...>& expression) {
    launch_pattern pattern{K::info};
    pattern.expect_geometry(expression.geometry);
    if constexpr (K::arity != 0)
        detail::expect_written(pattern, expression.arguments.bytes, typename K::parameters{}, std::make_index_sequence<K::arity>{},
                               hanabi::detail::list<Open...>{});
    return pattern;
}

/// The pattern itself.
inline launch_pattern a_launch_of(launch_pattern pattern) { return pattern; }

} // namespace hanabi::test

#endif
