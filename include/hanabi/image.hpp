// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Images: what a blob is, and the kernels, parameters and variables in it. Reading compressed fatbin entries takes
/// <hanabi/image/decompress.hpp> besides.

#ifndef HANABI_IMAGE_HPP
#define HANABI_IMAGE_HPP

#include <hanabi/image/bytes.hpp>
#include <hanabi/image/cubin.hpp>
#include <hanabi/image/elf.hpp>
#include <hanabi/image/embedded.hpp>
#include <hanabi/image/explain.hpp>
#include <hanabi/image/extent.hpp>
#include <hanabi/image/fatbin.hpp>
#include <hanabi/image/kernels.hpp>
#include <hanabi/image/kind.hpp>
#include <hanabi/image/parameter.hpp>
#include <hanabi/image/ptx.hpp>
#include <hanabi/image/ptx_parameter.hpp>
#include <hanabi/image/ptx_token.hpp>
#include <hanabi/image/signature_table.hpp>
#include <hanabi/image/slice.hpp>
#include <hanabi/image/summary.hpp>
#include <hanabi/image/target.hpp>
#include <hanabi/matches.hpp>

#endif
