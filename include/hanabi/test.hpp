// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Support for users' Boost.Test suites: fixtures over the host driver, assertions on what was launched, and the printing of
/// the library's types in failed assertions. Brings the host driver into the program (hanabi/host.hpp). Works with
/// Boost.Test linked and in its included form, whichever is included first; BOOST_TEST_MODULE is defined before both.

#ifndef HANABI_TEST_HPP
#define HANABI_TEST_HPP

#include <hanabi/interop/hana.hpp>
#include <hanabi/test/argument_pattern.hpp>
#include <hanabi/test/host_fixture.hpp>
#include <hanabi/test/launch_pattern.hpp>
#include <hanabi/test/launched.hpp>
#include <hanabi/test/needs_gpu.hpp>
#include <hanabi/test/print.hpp>
#include <hanabi/test/ptx_for.hpp>
#include <hanabi/test/registry_fixture.hpp>
#include <hanabi/test/was_launched.hpp>

#endif
