// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Everything about activity records and CUPTI: the host-side session, the library, the session with the device. No part of
/// <hanabi/hanabi.hpp>.

#ifndef HANABI_CUPTI_HPP
#define HANABI_CUPTI_HPP

#include <hanabi/activity/drop_count.hpp>
#include <hanabi/activity/kind.hpp>
#include <hanabi/activity/launch_mark.hpp>
#include <hanabi/activity/record.hpp>
#include <hanabi/activity_session.hpp>
#include <hanabi/cupti/abi.hpp>
#include <hanabi/cupti/cbid.hpp>
#include <hanabi/cupti/codec.hpp>
#include <hanabi/cupti/layout.hpp>
#include <hanabi/cupti/library.hpp>
#include <hanabi/cupti/session.hpp>
#include <hanabi/cupti/session_options.hpp>
#include <hanabi/cupti/start.hpp>
#include <hanabi/cupti/status.hpp>
#include <hanabi/cupti/table.hpp>
#include <hanabi/cupti/view.hpp>

#endif
