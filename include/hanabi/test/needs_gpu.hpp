// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The precondition of tests that need a real GPU: without one they are skipped, with the reason in the log.

#ifndef HANABI_TEST_NEEDS_GPU_HPP
#define HANABI_TEST_NEEDS_GPU_HPP

#include <hanabi/device_limits.hpp>
#include <hanabi/driver/select.hpp>
#include <hanabi/test/print_context.hpp>

#include <boost/test/test_tools.hpp>

#include <exception>
#include <sstream>
#include <string>

namespace hanabi::test {

/// So many devices of at least this compute capability: `*boost::unit_test::precondition(needs_gpus{.count = 2})`.
struct needs_gpus {
    int count = 1;
    compute_capability least{};

    /// True where the real driver has them and HANABI_DRIVER is not host; else false with the reason. Loads the driver.
    boost::test_tools::assertion_result operator()(boost::unit_test::test_unit_id = 0) const {
        const std::string why = missing();
        boost::test_tools::assertion_result result{why.empty()};
        if (!why.empty()) result.message() << why;
        return result;
    }

    /// The reason; empty if they are there.
    std::string missing() const {
        try {
            if (driver::environment_choice() == driver::choice::host) return "it needs a GPU, and HANABI_DRIVER is host";
        } catch (const std::exception& e) {
            return e.what();
        }
        hanabi::detail::failure why;
        const driver::table* const cuda = hanabi::detail::find_cuda(why);
        if (cuda == nullptr) return "it needs a GPU: " + why.message;
        int devices = 0;
        if (const driver::status s = driver::device_count(*cuda, devices); s != driver::status::success)
            return "it needs a GPU, and the CUDA driver says " + driver::error_text(s);
        int found = 0;
        for (int i = 0; i < devices; ++i) {
            driver::device_handle device = 0;
            compute_capability has;
            using attribute = driver::device_attribute;
            if (cuda->device_get(&device, i) == driver::status::success &&
                cuda->device_get_attribute(&has.major, attribute::compute_capability_major, device) == driver::status::success &&
                cuda->device_get_attribute(&has.minor, attribute::compute_capability_minor, device) == driver::status::success &&
                has >= least)
                ++found;
        }
        if (found >= count) return {};
        std::ostringstream s;
        s << "it needs " << (count == 1 ? "a GPU" : std::to_string(count) + " GPUs");
        if (least > compute_capability{}) s << " of compute capability " << least << " or more";
        s << ", and the CUDA driver has " << (found == 0 ? "none" : std::to_string(found));
        return s.str();
    }
};

/// The usual case: `BOOST_AUTO_TEST_CASE(on_the_device, *boost::unit_test::precondition(hanabi::test::needs_gpu))`.
inline boost::test_tools::assertion_result needs_gpu(boost::unit_test::test_unit_id) { return needs_gpus{}(); }

} // namespace hanabi::test

#endif
