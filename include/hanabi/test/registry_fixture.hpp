// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The fixture of tests that launch kernels without a GPU: a host driver with modules made from descriptors.

#ifndef HANABI_TEST_REGISTRY_FIXTURE_HPP
#define HANABI_TEST_REGISTRY_FIXTURE_HPP

#include <hanabi/dispatcher.hpp>
#include <hanabi/host/define.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/registry.hpp>
#include <hanabi/test/host_fixture.hpp>
#include <hanabi/test/ptx_for.hpp>

namespace hanabi::test {

namespace detail {

template <class D>
void define_stub(const D& kernel) {
    if constexpr (kernel_descriptor<D>) {
        const body_table bodies = host_bodies();
        if (!bodies.contains({string_of(D::module_name), string_of(D::symbol)})) host::define(kernel, [](host::block&, const auto&...) {});
    }
}

} // namespace detail

/// Gives kernels that have no body on the host driver one that does nothing: their launches are checked and recorded.
template <class... D>
void define_stubs(const D&... kernels) {
    (detail::define_stub(kernels), ...);
}

/// A host_fixture with a registry of modules made for these kernels (and variables, hanabi::global), and a dispatcher over it.
/// Kernels with no body do nothing; host::define gives them one, before or during the test.
///
///     using blas = hanabi::test::registry_fixture<axpy, scal>;   // a name: macros stumble over the comma
///     BOOST_FIXTURE_TEST_CASE(doubles, blas) {
///         double_all(run, ...);                                  // the code under test
///         BOOST_TEST(was_launched(scal, 2.0f, any, any));
///     }
template <auto... Descriptors>
class registry_fixture : public host_fixture {
  public:
    registry_fixture() : modules{prepare()}, run{modules} {}

    hanabi::registry modules; ///< on the first device
    hanabi::dispatcher<> run; ///< on the registry's own stream

  private:
    static hanabi::registry prepare() {
        define_stubs(Descriptors...);
        return load_for(device(), Descriptors...);
    }
};

} // namespace hanabi::test

#endif
