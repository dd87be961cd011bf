// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Sinks for what a ledger hands over: the summary and the Chrome trace.

#ifndef HANABI_TRACE_HPP
#define HANABI_TRACE_HPP

#include <hanabi/trace/chrome.hpp>
#include <hanabi/trace/device_properties.hpp>
#include <hanabi/trace/quantile_sketch.hpp>
#include <hanabi/trace/summary.hpp>
#include <hanabi/trace/text.hpp>
#include <hanabi/trace/track.hpp>

#endif
