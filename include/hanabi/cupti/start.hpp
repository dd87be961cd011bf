// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The steps of a session's start that take more than a call.

#ifndef HANABI_CUPTI_START_HPP
#define HANABI_CUPTI_START_HPP

#include <hanabi/cupti/abi.hpp>
#include <hanabi/cupti/cbid.hpp>
#include <hanabi/cupti/status.hpp>
#include <hanabi/cupti/table.hpp>
#include <hanabi/detail/cupti_hub.hpp>
#include <hanabi/error.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace hanabi::cupti::detail {

/// A call of CUPTI's that failed while a session started.
inline hanabi::detail::failure start_failure(status s, std::string call) {
    hanabi::detail::failure why{make_error_code(s), "hanabi::cupti::session::start: " + std::move(call) + " failed"};
    if (const char* const advice = advice_for(s); *advice != '\0') why.message.append("; ").append(advice);
    why.message.append(": ").append(error_text(s));
    return why;
}

/// Becomes CUPTI's subscriber, where the library has any. False, and who has CUPTI as far as the library says it.
inline bool subscribe(const table& f, subscriber_handle& subscriber, hanabi::detail::failure& why) {
    if (f.subscribe == nullptr || f.unsubscribe == nullptr) return true;
    char other[128] = {};
    status s;
    if (f.subscribe_v2 != nullptr) {
        subscriber_parameters parameters;
        parameters.name = "hanabi";
        parameters.other_name = other;
        parameters.other_size = sizeof other;
        s = f.subscribe_v2(&subscriber, &hanabi::detail::cupti_callback, nullptr, &parameters);
    } else
        s = f.subscribe(&subscriber, &hanabi::detail::cupti_callback, nullptr);
    if (s == status::success) return true;
    subscriber = nullptr;
    other[sizeof other - 1] = '\0';
    why = start_failure(s, other[0] == '\0' ? std::string{"cuptiSubscribe"} : std::string{"cuptiSubscribe, because of '"} + other + "',");
    return false;
}

/// Records the driver's calls that launch, copy and fill, and no others. The kind is enabled, and then all other calls are taken
/// out of it: choosing calls without the kind is documented too, but gives no records of calls, and no external correlation
/// for launches of graphs (seen with CUDA 13.0).
inline bool enable_launch_calls(const table& f, hanabi::detail::failure& why) {
    if (const status s = f.activity_enable(activity_kind::driver); s != status::success) {
        why = start_failure(s, "cuptiActivityEnable(driver)");
        return false;
    }
    if (f.activity_enable_driver_api == nullptr) return true; // before CUDA 12.5: all of the driver's calls, or none
    for (std::uint32_t cbid = 1; cbid < cbid_limit; ++cbid)
        if (f.activity_enable_driver_api(cbid, 0) == status::invalid_parameter) break; // there are no more
    for (const std::uint32_t cbid : launch_cbids)
        if (const status s = f.activity_enable_driver_api(cbid, 1);
            s != status::success && s != status::invalid_parameter) { // a call that this library does not know
            why = start_failure(s, "cuptiActivityEnableDriverApi(" + std::to_string(cbid) + ")");
            return false;
        }
    return true;
}

} // namespace hanabi::cupti::detail

#endif
