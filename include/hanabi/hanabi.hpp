// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Typed dispatch, all of it: descriptors, geometry, expressions, contexts, memory, registries and dispatchers.

#ifndef HANABI_HANABI_HPP
#define HANABI_HANABI_HPP

#include <hanabi/argument.hpp>
#include <hanabi/buffer.hpp>
#include <hanabi/capture.hpp>
#include <hanabi/config.hpp>
#include <hanabi/context.hpp>
#include <hanabi/contract.hpp>
#include <hanabi/copy.hpp>
#include <hanabi/current.hpp>
#include <hanabi/device_ptr.hpp>
#include <hanabi/device_span.hpp>
#include <hanabi/dispatcher.hpp>
#include <hanabi/error.hpp>
#include <hanabi/event.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/expression/barrier.hpp>
#include <hanabi/expression/call.hpp>
#include <hanabi/expression/copy.hpp>
#include <hanabi/expression/dataflow.hpp>
#include <hanabi/expression/events.hpp>
#include <hanabi/expression/fill.hpp>
#include <hanabi/expression/group.hpp>
#include <hanabi/expression/parallel.hpp>
#include <hanabi/expression/range.hpp>
#include <hanabi/expression/repeat.hpp>
#include <hanabi/expression/repeat_while.hpp>
#include <hanabi/expression/touches.hpp>
#include <hanabi/expression/when.hpp>
#include <hanabi/geometry.hpp>
#include <hanabi/global.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/launch_view.hpp>
#include <hanabi/literals.hpp>
#include <hanabi/module_source.hpp>
#include <hanabi/narrow.hpp>
#include <hanabi/open_geometry.hpp>
#include <hanabi/pinned_buffer.hpp>
#include <hanabi/plan.hpp>
#include <hanabi/plan/nested.hpp>
#include <hanabi/registry.hpp>
#include <hanabi/signature.hpp>
#include <hanabi/stream.hpp>
#include <hanabi/symbol.hpp>
#include <hanabi/tensor_map.hpp>
#include <hanabi/verify.hpp>

#endif
