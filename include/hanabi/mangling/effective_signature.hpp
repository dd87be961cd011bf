// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The parameters of one instance of a kernel template, from the signature that the template spells.

#ifndef HANABI_MANGLING_EFFECTIVE_SIGNATURE_HPP
#define HANABI_MANGLING_EFFECTIVE_SIGNATURE_HPP

#include <hanabi/mangling/template_argument.hpp>
#include <hanabi/symbol.hpp>

#include <cstddef>

namespace hanabi {

/// The signature uses T_<I> and the symbol has no I-th template argument that is a type.
template <std::size_t I, class Arguments>
struct no_such_template_argument;
/// The library can't compute this parameter's type: write it as hanabi::spelled<Pattern, Actual>.
template <class Parameter>
struct write_this_parameter_as_spelled;

namespace detail {

/// The I-th of the template arguments A; of a pack the K-th.
template <std::size_t I, std::size_t K, class A>
struct template_argument {
    using type = typename no_such_template_argument<I, A>::type;
};
template <std::size_t I, std::size_t K, class First, class... Rest>
struct template_argument<I, K, pack<First, Rest...>> : template_argument<I - 1, K, pack<Rest...>> {};
template <std::size_t K, class First, class... Rest>
struct template_argument<0, K, pack<First, Rest...>> {
    using type = First;
};
template <std::size_t K, class... Elements, class... Rest>
struct template_argument<0, K, pack<pack<Elements...>, Rest...>> : template_argument<K, 0, pack<Elements...>> {};

/// T with the template arguments A in the place of T_<I>, and the K-th of a pack.
template <class A, std::size_t K, class T>
struct instance {
    using type = T;
};
template <class A, std::size_t K, std::size_t I>
struct instance<A, K, T_<I>> : template_argument<I, K, A> {};
template <class A, std::size_t K, class Pattern, class Actual>
struct instance<A, K, spelled<Pattern, Actual>> {
    using type = Actual;
};
template <class A, std::size_t K, class T, std::size_t I>
struct instance<A, K, dependent_array<T, I>> {
    using type = typename write_this_parameter_as_spelled<dependent_array<T, I>>::type;
};
template <class A, std::size_t K, class T>
struct instance<A, K, T*> {
    using type = typename instance<A, K, T>::type*;
};
template <class A, std::size_t K, class T>
struct instance<A, K, T&> {
    using type = typename instance<A, K, T>::type&;
};
template <class A, std::size_t K, class T>
struct instance<A, K, const T> {
    using type = const typename instance<A, K, T>::type;
};
template <class A, std::size_t K, class T>
struct instance<A, K, volatile T> {
    using type = volatile typename instance<A, K, T>::type;
};
template <class A, std::size_t K, class T>
struct instance<A, K, const volatile T> {
    using type = const volatile typename instance<A, K, T>::type;
};
template <class A, std::size_t K, class T, std::size_t N>
struct instance<A, K, T[N]> {
    using type = typename instance<A, K, T>::type[N];
};
template <class A, std::size_t K, class T, class C>
struct instance<A, K, T C::*> {
    using type = typename instance<A, K, T>::type instance<A, K, C>::type::*;
};
template <class A, std::size_t K, class R, class... P>
struct instance<A, K, R(P...)> {
    using type = typename instance<A, K, R>::type(typename instance<A, K, P>::type...);
};
template <class A, std::size_t K, class R, class... P>
struct instance<A, K, R(P...) noexcept> {
    using type = typename instance<A, K, R>::type(typename instance<A, K, P>::type...) noexcept;
};
template <class A, std::size_t K, template <class...> class C, class... T>
struct instance<A, K, C<T...>> {
    using type = C<typename instance<A, K, T>::type...>;
};
template <class A, std::size_t K, template <class, auto...> class C, class T, auto V, auto... W>
struct instance<A, K, C<T, V, W...>> {
    using type = C<typename instance<A, K, T>::type, V, W...>;
};

/// The number of elements of the pack among the arguments.
template <class A>
inline constexpr std::size_t pack_size = 0;
template <class First, class... Rest>
inline constexpr std::size_t pack_size<pack<First, Rest...>> = pack_size<pack<Rest...>>;
template <class... Elements, class... Rest>
inline constexpr std::size_t pack_size<pack<pack<Elements...>, Rest...>> = sizeof...(Elements);

/// Turns the parameters P one by one into their instances and appends them to Done.
template <class A, class Done, class... P>
struct instances;
template <class A, class... Done>
struct instances<A, void(Done...)> {
    using type = void(Done...);
};
template <class A, class... Done, class First, class... Rest>
struct instances<A, void(Done...), First, Rest...> : instances<A, void(Done..., typename instance<A, 0, First>::type), Rest...> {};

template <class A, class Pattern, class Done, std::size_t K, std::size_t N, class... Rest>
struct expanded
    : expanded<A, Pattern, typename instances<A, Done, spelled<void, typename instance<A, K, Pattern>::type>>::type, K + 1, N, Rest...> {};
template <class A, class Pattern, class Done, std::size_t N, class... Rest>
struct expanded<A, Pattern, Done, N, N, Rest...> : instances<A, Done, Rest...> {};

template <class A, class... Done, class Pattern, class... Rest>
struct instances<A, void(Done...), each<Pattern>, Rest...> : expanded<A, Pattern, void(Done...), 0, pack_size<A>, Rest...> {};

template <class A, class Signature>
struct instance_signature;
template <class A, class... P>
struct instance_signature<A, void(P...)> : instances<A, void(), P...> {};

template <class Linkage>
struct effective {
    template <class Signature>
    using signature = Signature;
};
template <class First, class... Rest>
struct effective<cxx_linkage<First, Rest...>> {
    template <class Signature>
    using signature = typename instance_signature<pack<First, Rest...>, Signature>::type;
};

} // namespace detail

/// The signature that a kernel takes arguments by: Signature itself, but for an instance of a kernel template
/// (`cxx<"taxpy", float>()`) with the template arguments in the place of T_<I>: void(float, const float*) for
/// void(T_<0>, const T_<0>*). Looks into pointers, references, arrays, function types and class templates over types; each
/// becomes as many parameters as the pack has elements; spelled becomes its second type. Nothing is instantiated for
/// each signature unless the symbol has template arguments.
template <symbol Symbol, class Signature>
using effective_signature = typename detail::effective<decltype(Symbol.kind())>::template signature<Signature>;

} // namespace hanabi

#endif
