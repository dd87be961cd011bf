// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Contracts, as numbers.

#define BOOST_TEST_MODULE contract
#include <boost/test/unit_test.hpp>

#include <hanabi/contract.hpp>

namespace {

using hanabi::contract_fault;
using hanabi::detail::contracts_of;

constexpr const auto& none = contracts_of<>;
static_assert(none.names == nullptr && none.name_count == 0 && none.hidden == 0 && none.max_threads == 0 && !none.has_required_threads() &&
              none.cluster[0] == 0 && !none.allows_pdl && none.fault == contract_fault::none);

constexpr const auto& all = contracts_of<hanabi::names<"alpha", "x">, hanabi::hidden<2>, hanabi::max_threads<256>,
                                         hanabi::required_threads<16, 8>, hanabi::cluster_size<2, 4>, hanabi::allows_pdl>;
static_assert(all.name_count == 2 && all.names[0] == "alpha" && all.names[1] == "x" && all.hidden == 2 && all.max_threads == 256);
static_assert(all.has_required_threads() && all.required[0] == 16 && all.required[1] == 8 && all.required[2] == 1);
static_assert(all.cluster[0] == 2 && all.cluster[1] == 4 && all.cluster[2] == 1 && all.allows_pdl && all.fault == contract_fault::none);

// In any order.
static_assert(contracts_of<hanabi::allows_pdl, hanabi::max_threads<64>, hanabi::names<"n">>.max_threads == 64);
static_assert(contracts_of<hanabi::names<>>.name_count == 0);

// The limits, both of them inside.
static_assert(contracts_of<hanabi::max_threads<1>>.max_threads == 1 && contracts_of<hanabi::max_threads<1024>>.max_threads == 1024);
static_assert(contracts_of<hanabi::required_threads<1024>>.required[0] == 1024 &&
              contracts_of<hanabi::required_threads<4, 4, 64>>.required[2] == 64);
static_assert(contracts_of<hanabi::cluster_size<16>>.cluster[0] == 16);

// What can't be kept.
static_assert(contracts_of<hanabi::names<"a">, hanabi::names<"a">>.fault == contract_fault::names_are_given_twice);
static_assert(contracts_of<hanabi::hidden<1>, hanabi::hidden<2>>.fault == contract_fault::hidden_is_given_twice);
static_assert(contracts_of<hanabi::max_threads<1>, hanabi::max_threads<1>>.fault == contract_fault::max_threads_is_given_twice);
static_assert(contracts_of<hanabi::required_threads<1>, hanabi::required_threads<1>>.fault ==
              contract_fault::required_threads_is_given_twice);
static_assert(contracts_of<hanabi::cluster_size<1>, hanabi::cluster_size<2>>.fault == contract_fault::cluster_size_is_given_twice);
static_assert(contracts_of<hanabi::required_threads<16, 17>, hanabi::max_threads<256>>.fault ==
              contract_fault::required_threads_are_more_than_max_threads);
static_assert(contracts_of<hanabi::required_threads<16, 16>, hanabi::max_threads<256>>.fault == contract_fault::none);
static_assert(contracts_of<hanabi::allows_pdl, hanabi::allows_pdl>.fault == contract_fault::none); // says no two things

static_assert(hanabi::detail::contract<hanabi::allows_pdl> && hanabi::detail::contract<hanabi::names<"a">> &&
              !hanabi::detail::contract<int> && !hanabi::detail::contract<void>);

} // namespace

BOOST_AUTO_TEST_CASE(names_have_static_storage) {
    const hanabi::name_view first = contracts_of<hanabi::names<"alpha", "x">>.names[0];
    BOOST_TEST(first.data() == all.names[0].data());
    BOOST_TEST(first.data()[first.size()] == '\0');
}
