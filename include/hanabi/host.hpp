// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The host driver: CUDA's driver interface served in process, for programs and tests on machines without a GPU. Include
/// it in one source file of a program, and the library can use it: context::host(), context::any(), HANABI_DRIVER=host.
///
/// Kernels run as C++ bodies (host::define) over host memory; with <hanabi/host/ptx.hpp> in the program, those without a body
/// as the PTX of their module. The driver answers what a real one answers, status by status, and checks more than one can: see
/// options, leaks(), fail() and launches().

#ifndef HANABI_HOST_HPP
#define HANABI_HOST_HPP

#include <hanabi/host/block.hpp>
#include <hanabi/host/conditional.hpp>
#include <hanabi/host/config.hpp>
#include <hanabi/host/cupti.hpp>
#include <hanabi/host/define.hpp>
#include <hanabi/host/extent.hpp>
#include <hanabi/host/fault.hpp>
#include <hanabi/host/launches.hpp>
#include <hanabi/host/leaks.hpp>
#include <hanabi/host/races.hpp>
#include <hanabi/host/setup.hpp>
#include <hanabi/host/table.hpp>
#include <hanabi/host/tensor_map.hpp>

#endif
