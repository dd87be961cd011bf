// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Descriptors: a kernel as an object of the type system, known by module, symbol and signature, and callable to make
/// launches.

#ifndef HANABI_KERNEL_HPP
#define HANABI_KERNEL_HPP

#include <hanabi/contract.hpp>
#include <hanabi/descriptor.hpp>
#include <hanabi/detail/configured.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/mangling.hpp>
#include <hanabi/open_geometry.hpp>
#include <hanabi/refusal.hpp>
#include <hanabi/signature.hpp>
#include <hanabi/symbol.hpp>
#include <hanabi/text.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace hanabi {

/// The error of a parameter type that can't cross the launch boundary: the kernel, the parameter's 1-based number, its
/// type and the reason. Never defined: its name is the message.
template <text Kernel, std::size_t Number, class Parameter, class Because>
struct parameter_cannot_be_passed;

/// The error of a names<...> contract with too few or too many names.
template <text Kernel, class Expected, class Given>
struct wrong_number_of_names;

/// The error of a signature that is no function type returning void.
template <text Kernel, class Given>
struct a_kernel_has_a_signature_returning_void;

/// The error of something behind the signature that is no contract.
template <text Kernel, class Given>
struct what_follows_the_signature_is_no_contract;

/// The error of a module's or symbol's name that no driver can look up: empty, or with a NUL in it.
template <text Kernel>
struct module_or_symbol_has_no_usable_name;

/// The error of a geometry that a kernel can't be launched with: the kernel, the reason, and where numbers are the reason,
/// what the contract says and what the geometry does.
template <text Kernel, class Because, class... ContractAndGiven>
struct geometry_does_not_fit;

/// The error of a kernel that is called with no geometry: `axpy(2.0f, x, y, n)` for `axpy[over(n)](2.0f, x, y, n)`.
template <text Kernel, class Because>
struct geometry_is_missing;

namespace because {
struct it_comes_in_brackets_before_the_arguments;
struct neither_over_nor_grid_nor_occupancy_says_how_many;
struct a_grid_needs_a_block;
struct the_block_is_not_the_required_one;
struct the_block_has_more_threads_than_max_threads;
struct the_kernel_requires_a_block_that_occupancy_may_not_choose;
struct the_cluster_is_not_the_one_of_the_contract;
struct the_kernel_is_not_declared_with_allows_pdl;
} // namespace because

namespace detail {

/// A symbol's characters as text, for messages.
template <symbol S>
constexpr auto text_of() noexcept {
    text<S.size()> t;
    for (std::size_t i = 0; i < S.size(); ++i) t.characters[i] = S.characters[i];
    return t;
}

/// Which of the three ways a symbol names its kernel.
template <symbol S>
inline constexpr bool is_pattern = std::is_same_v<typename std::remove_cvref_t<decltype(S)>::linkage, pattern_linkage>;

template <symbol S, class... P>
constexpr name_view symbol_name(void (*)(P...)) noexcept {
    using linkage = typename std::remove_cvref_t<decltype(S)>::linkage;
    if constexpr (std::is_same_v<linkage, c_linkage> || std::is_same_v<linkage, pattern_linkage>)
        return S.view();
    else
        return linker_name<S, P...>;
}

/// Whether the linker's name spells the parameter types, by linkage and signature: C++ names do, but where the signature
/// says by `spelled` what the library can't compute.
template <class Linkage, class Signature>
inline constexpr bool spells_types = false;
template <class Signature>
inline constexpr bool spells_types<cxx_linkage<>, Signature> = true;
template <class First, class... Rest, class Signature>
inline constexpr bool spells_types<cxx_linkage<First, Rest...>, Signature> = !mentions_spelled(function_name_with<Signature>());

/// True unless both are known and differ.
constexpr bool may_be(std::uint64_t known, unsigned wanted) noexcept { return known == 0 || wanted == 0 || known == wanted; }

template <const contract_set& Contracts, unsigned Terms, class Block>
constexpr auto judge_geometry() noexcept {
    constexpr const contract_set& c = Contracts;
    constexpr std::uint64_t x = Block::x, y = Block::y, z = Block::z;
    using cluster = typename Block::cluster;
    if constexpr ((Terms & term::extent) == 0)
        return static_cast<because::neither_over_nor_grid_nor_occupancy_says_how_many*>(nullptr);
    else if constexpr ((Terms & term::grid) != 0 && (Terms & term::block) == 0 && !c.has_required_threads())
        return static_cast<because::a_grid_needs_a_block*>(nullptr);
    else if constexpr (c.has_required_threads() && (Terms & term::occupancy) != 0)
        return static_cast<because::the_kernel_requires_a_block_that_occupancy_may_not_choose*>(nullptr);
    else if constexpr (!may_be(x, c.required[0]) || !may_be(y, c.required[1]) || !may_be(z, c.required[2]))
        return static_cast<because::the_block_is_not_the_required_one*>(nullptr);
    else if constexpr (c.max_threads != 0 && (x == 0 ? 1 : x) * (y == 0 ? 1 : y) * (z == 0 ? 1 : z) > c.max_threads)
        return static_cast<because::the_block_has_more_threads_than_max_threads*>(nullptr);
    else if constexpr (!may_be(cluster::x, c.cluster[0]) || !may_be(cluster::y, c.cluster[1]) || !may_be(cluster::z, c.cluster[2]))
        return static_cast<because::the_cluster_is_not_the_one_of_the_contract*>(nullptr);
    else if constexpr ((Terms & term::pdl) != 0 && !c.allows_pdl)
        return static_cast<because::the_kernel_is_not_declared_with_allows_pdl*>(nullptr);
    else
        return static_cast<because::it_is_fine*>(nullptr);
}

} // namespace detail

/// The verdict on launching a kernel of these contracts with these terms and block constants: because::it_is_fine, or
/// why not.
template <const contract_set& Contracts, unsigned Terms, class Block>
using geometry_verdict = std::remove_pointer_t<decltype(detail::judge_geometry<Contracts, Terms, Block>())>;

namespace detail {

template <const contract_set& Contracts, unsigned Terms, class Block>
inline constexpr bool geometry_fits = std::is_same_v<geometry_verdict<Contracts, Terms, Block>, because::it_is_fine>;

/// Instantiates the error for a geometry that does not fit.
template <class Kernel, unsigned Terms, class Block>
constexpr auto report_geometry() {
    using verdict = geometry_verdict<Kernel::contracts(), Terms, Block>;
    constexpr const contract_set& c = Kernel::contracts();
    if constexpr (std::is_same_v<verdict, because::the_block_is_not_the_required_one>)
        (void)sizeof(geometry_does_not_fit<Kernel::label(), verdict, required_threads<c.required[0], c.required[1], c.required[2]>,
                                           typename Block::block>);
    else if constexpr (std::is_same_v<verdict, because::the_block_has_more_threads_than_max_threads>)
        (void)sizeof(geometry_does_not_fit<Kernel::label(), verdict, max_threads<c.max_threads>, typename Block::block>);
    else if constexpr (std::is_same_v<verdict, because::the_cluster_is_not_the_one_of_the_contract>)
        (void)sizeof(geometry_does_not_fit<Kernel::label(), verdict, cluster_size<c.cluster[0], c.cluster[1], c.cluster[2]>,
                                           typename Block::cluster>);
    else
        (void)sizeof(geometry_does_not_fit<Kernel::label(), verdict>);
    return 0;
}

/// The block where no term says one: the required one, else 256 threads, or what max_threads allows of them.
HANABI_INLINE constexpr void choose_block(launch_shape& shape, const contract_set& contracts) noexcept {
    const auto set = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        shape.block[0] = x;
        shape.block[1] = y;
        shape.block[2] = z;
    };
    if (contracts.has_required_threads())
        set(contracts.required[0], contracts.required[1], contracts.required[2]);
    else if (contracts.max_threads != 0 && contracts.max_threads < 256)
        set(contracts.max_threads, 1, 1);
    else if (shape.extent[2] > 1)
        set(8, 8, 4);
    else if (shape.extent[1] > 1)
        set(32, 8, 1);
    else
        set(256, 1, 1);
}

/// Gives a descriptor its subscript operator; on the function type alone, so that nvcc's front end finds it.
template <class Kernel, class Function>
struct callable;

template <class Kernel, class... P>
struct callable<Kernel, void(P...)> {
    using parameters = list<P...>;
    using function_type = void(P...);
    static constexpr std::size_t arity = sizeof...(P);
    static constexpr const hanabi::detail::layout<sizeof...(P)>& layout = layout_of<P...>;

    /// The kernel with a geometry: call the result with the arguments.
    template <unsigned Terms, class Block, unsigned N>
    HANABI_INLINE constexpr configured<Kernel, geometry<Terms, Block, N>, P...>
    operator[](const geometry<Terms, Block, N>& shape) const noexcept {
        if constexpr (!geometry_fits<Kernel::contracts(), Terms, Block>) report_geometry<Kernel, Terms, Block>();
        configured<Kernel, geometry<Terms, Block, N>, P...> c{{copy_of(shape), shape.attributes}};
        if constexpr ((Terms & (term::block | term::occupancy)) == 0) choose_block(c.shape, Kernel::contracts());
        return c;
    }
    /// With counts of the geometry left open.
    template <class Geometry, class... Open>
    constexpr auto operator[](const open_geometry<Geometry, Open...>& shape) const noexcept {
        return open_configured<decltype((*this)[shape.shape]), Open...>{(*this)[shape.shape]};
    }

    /// No launch, but an error that says what is missing.
    template <class... A>
    launch<Kernel, geometry<term::over>> operator()(A&&...) const noexcept {
        (void)sizeof(geometry_is_missing<Kernel::label(), because::it_comes_in_brackets_before_the_arguments>);
        return refused<launch<Kernel, geometry<term::over>>>();
    }
};

/// What is asked of every declaration, by the parameter types and the number of names alone.
template <unsigned Names, class... P>
constexpr bool declaration_is_fine(list<P...>) noexcept {
    if constexpr (!(parameter_is_fine<P> && ...))
        return false;
    else
        return layout_of<P...>.size <= max_parameter_bytes && (Names == 0 || Names == sizeof...(P));
}

/// A C string's characters as a name that the driver can look up.
constexpr bool name_is_fine(const char* characters, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i)
        if (characters[i] == '\0') return false;
    return size != 0;
}

struct no_complaint {
    static int raise();
};

/// Instantiates the error for a declaration that can't be, in the body of a function whose type is still good: so that
/// it is the only error.
template <symbol S, class Signature, class List, class... Contracts>
struct complaint;
template <symbol S, class Signature, class... P, class... Contracts>
struct complaint<S, Signature, list<P...>, Contracts...> {
    static constexpr auto raise() {
        constexpr bool fine[]{parameter_is_fine<P>..., true};
        constexpr bool are_contracts[]{contract<Contracts>..., true};
        constexpr std::size_t parameter = first_false(fine), follower = first_false(are_contracts);
        constexpr contract_set contracts = combine_contracts<Contracts...>();
        if constexpr (!signature<Signature>::is_of_a_kernel)
            (void)sizeof(a_kernel_has_a_signature_returning_void<text_of<S>(), given<Signature>>);
        else if constexpr (parameter < sizeof...(P)) {
            using type = typename pick<parameter, P...>::type;
            (void)sizeof(parameter_cannot_be_passed<text_of<S>(), parameter + 1, type, parameter_verdict<type>>);
        } else if constexpr (layout_of<P...>.size > max_parameter_bytes) {
            using type = typename pick<sizeof...(P) - 1, P...>::type;
            (void)sizeof(parameter_cannot_be_passed<text_of<S>(), sizeof...(P), type, because::the_parameters_are_larger_than_32764_bytes>);
        } else if constexpr (follower < sizeof...(Contracts))
            (void)sizeof(what_follows_the_signature_is_no_contract<text_of<S>(), given<typename pick<follower, Contracts...>::type>>);
        else if constexpr (contracts.fault != contract_fault::none)
            (void)sizeof(contracts_are_wrong<text_of<S>(), contracts.fault>);
        else if constexpr (contracts.name_count != 0 && contracts.name_count != sizeof...(P))
            (void)sizeof(wrong_number_of_names<text_of<S>(), expected_count<sizeof...(P)>, given_count<contracts.name_count>>);
        else
            (void)sizeof(module_or_symbol_has_no_usable_name<text_of<S>()>);
        return 0;
    }
};

} // namespace detail

/// A kernel of a module loaded at run time: which module (by the name it is loaded under), which symbol, what parameters,
/// and the contracts that bind its launches. An empty constexpr object:
///
///     inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int),
///                                     hanabi::names<"alpha", "x", "y", "n">> axpy;
///
/// `axpy[over(n)](2.0f, x, y, n)` makes a launch. Parameter types that can't cross the launch boundary do not compile.
template <text Module, symbol Symbol, class Signature, class... Contracts>
struct kernel : detail::callable<kernel<Module, Symbol, Signature, Contracts...>,
                                 typename signature<effective_signature<Symbol, Signature>>::function_type> {
  private:
    static_assert(sizeof(std::conditional_t < signature<Signature>::is_of_a_kernel && (detail::contract<Contracts> && ...) &&
                             detail::contracts_of<Contracts...>.fault == contract_fault::none &&
                             detail::declaration_is_fine<detail::contracts_of<Contracts...>.name_count>(typename kernel::parameters{}) &&
                             detail::name_is_fine(Module.characters, Module.size()) &&
                             detail::name_is_fine(Symbol.characters, Symbol.size()),
                         detail::no_complaint, detail::complaint < Symbol, Signature, typename kernel::parameters,
                         Contracts... >> ::raise()) != 0);

  public:
    /// The module's name in the registry.
    static constexpr name_view module_name = Module.view();
    /// The linker's name of the kernel; the pattern, where the symbol is one.
    static constexpr name_view symbol = detail::symbol_name<Symbol>(static_cast<typename signature<Signature>::function_type*>(nullptr));
    /// The contracts as numbers.
    static constexpr const contract_set& contracts() noexcept { return detail::contracts_of<Contracts...>; }
    /// The symbol as it was written, for compile-time messages.
    static constexpr auto label() noexcept { return detail::text_of<Symbol>(); }
    /// The name of parameter I as text, for compile-time messages.
    template <std::size_t I>
    static constexpr auto parameter_label() noexcept {
        if constexpr (contracts().name_count > I) {
            text<contracts().names[I].size()> t;
            for (std::size_t i = 0; i < t.size(); ++i) t.characters[i] = contracts().names[I].data()[i];
            return t;
        } else
            return text<0>{};
    }

  private:
    static inline constinit unsigned slot = 0;

  public:
    /// This descriptor as data.
    static constexpr descriptor info{module_name,
                                     symbol,
                                     kernel::layout.parameters,
                                     &detail::contracts_of<Contracts...>,
                                     kernel::arity,
                                     detail::is_pattern<Symbol>,
                                     &slot,
                                     detail::spells_types<decltype(Symbol.kind()), Signature>};
};

namespace detail {

template <class Kernel, class... P, class... A>
constexpr bool accepts_in_order(list<P...>, list<A...>) noexcept {
    if constexpr (sizeof...(A) != sizeof...(P))
        return false;
    else if constexpr (!(is_open<A> || ...))
        return (argument_fits<P, A> && ...);
    else
        return (takes<P, A>() && ...) && is_consistent(typename open_list<Kernel, std::index_sequence_for<P...>, list<P...>, A...>::type{});
}

template <class Kernel, class... P, std::size_t... I, class... A>
constexpr bool accepts_by_name(list<P...> parameters, std::index_sequence<I...>, list<A...>) noexcept {
    return accepts_in_order<Kernel>(parameters, list<typename pick<named_call<Kernel, A...>::position(I), A...>::type::argument_type...>{});
}

template <class Kernel, class... A>
constexpr bool accepts() noexcept {
    using parameters = typename Kernel::parameters;
    if constexpr (!(is_named<A> || ...))
        return accepts_in_order<Kernel>(parameters{}, list<A...>{});
    else if constexpr (!(is_named<A> && ...) || Kernel::contracts().name_count != Kernel::arity)
        return false;
    else if constexpr (!named_call<Kernel, std::remove_cvref_t<A>...>::is_fine())
        return false;
    else
        return accepts_by_name<Kernel>(parameters{}, std::make_index_sequence<Kernel::arity>{}, list<std::remove_cvref_t<A>...>{});
}

} // namespace detail

/// Whether a kernel (the type of a descriptor) takes arguments of these types, in order: `T&` for an lvalue, `T` for a
/// temporary; named arguments and placeholders by the types of `"n"_arg = n` and `"n"_arg`. Asks without an error, which a
/// requires-expression over the call can't: that call is checked in its body.
template <class Kernel, class... A>
inline constexpr bool accepts_v = detail::accepts<std::remove_cvref_t<Kernel>, A...>();

/// Satisfied by the types of descriptors.
template <class K>
concept kernel_descriptor = requires {
    typename K::parameters;
    { K::info } -> std::same_as<const descriptor&>;
};

} // namespace hanabi

#endif
