// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What the tests of the host driver share: a fresh driver for each case, short names, and its log. A suite that asks for
/// nothing that only the host driver has runs on the real one, too.

#ifndef HANABI_TEST_SUPPORT_HOST_DRIVER_HPP
#define HANABI_TEST_SUPPORT_HOST_DRIVER_HPP

#include <hanabi/host.hpp>

#include <boost/test/unit_test.hpp>

#include "support/driver.hpp"

#include <atomic>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

namespace hanabi::driver {
inline std::ostream& boost_test_print_type(std::ostream& out, status s) { return out << name_of(s); }
} // namespace hanabi::driver

using hanabi::driver::context_handle;
using hanabi::driver::device_address;
using hanabi::driver::entry;
using hanabi::driver::event_handle;
using hanabi::driver::function_handle;
using hanabi::driver::module_handle;
using hanabi::driver::status;
using hanabi::driver::stream_handle;
namespace host = hanabi::host;

inline const hanabi::driver::table& cu = test_driver();

/// The driver afresh, with the primary context of device 0 current. The real one has that as new as a test can have it: nobody
/// else holds it, so that its memory and modules go with it.
struct fresh_driver {
    explicit fresh_driver(std::vector<host::device_config> devices = {host::device_config{}}) {
        if (on_host()) {
            host::reset(std::move(devices));
            host::clear_definitions();
        }
        BOOST_REQUIRE(cu.init(0) == status::success);
        BOOST_REQUIRE(cu.device_primary_ctx_retain(&context, 0) == status::success);
        BOOST_REQUIRE(cu.ctx_set_current(context) == status::success);
    }
    ~fresh_driver() {
        cu.ctx_set_current(nullptr);
        if (!on_host()) cu.device_primary_ctx_release(0);
    }

    context_handle context = nullptr;
};

/// What the log says since it was made.
class log_watch {
  public:
    log_watch() { cu.logs_current(&from_, 0); }
    std::string text() const {
        auto from = from_;
        std::string buffer(65536, '\0');
        std::size_t size = buffer.size();
        cu.logs_dump_to_memory(&from, buffer.data(), &size, 0);
        buffer.resize(size);
        return buffer;
    }
    bool has(const std::string& part) const { return text().find(part) != std::string::npos; }

  private:
    hanabi::driver::log_iterator from_ = 0;
};

/// Asserts that a call is refused with a status, that the log gives the reason, and which entry refused.
#define CHECK_REFUSED(expression, expected, reason)                                                                                        \
    do {                                                                                                                                   \
        const log_watch watch_;                                                                                                            \
        BOOST_TEST((expression) == (expected));                                                                                            \
        BOOST_TEST(watch_.has(reason), "the log lacks \"" << (reason) << "\": " << watch_.text());                                         \
        BOOST_TEST(watch_.has(std::string{"("} + hanabi::driver::name_of(expected) + ") from cu"), watch_.text());                         \
    } while (false)

#define CHECK_OK(expression) BOOST_TEST((expression) == status::success)

/// Holds a stream up until it is opened: an operation that waits for the host.
class gate {
  public:
    explicit gate(stream_handle stream) {
        auto* const kept = new std::shared_ptr<std::atomic<bool>>{opened_}; // lives as long as the waiting does
        const auto wait = [](void* data) {
            const auto opened = static_cast<std::shared_ptr<std::atomic<bool>>*>(data);
            (*opened)->wait(false);
            delete opened;
        };
        BOOST_REQUIRE(cu.launch_host_func(stream, wait, kept) == status::success);
    }
    ~gate() { open(); }
    void open() {
        *opened_ = true;
        opened_->notify_all();
    }

  private:
    std::shared_ptr<std::atomic<bool>> opened_ = std::make_shared<std::atomic<bool>>(false);
};

inline device_address allocate(std::size_t bytes) {
    device_address address = 0;
    BOOST_REQUIRE(cu.mem_alloc(&address, bytes) == status::success);
    return address;
}

inline stream_handle make_stream(unsigned flags = hanabi::driver::stream_flags::non_blocking) {
    stream_handle stream = nullptr;
    BOOST_REQUIRE(cu.stream_create_with_priority(&stream, flags, 0) == status::success);
    return stream;
}

/// One module of a PTX text, labelled where modules have labels.
inline module_handle load(const char* text, const char* label = "m") {
    module_handle module = nullptr;
    BOOST_REQUIRE(cu.module_load_data_ex(&module, text, 0, nullptr, nullptr) == status::success);
    if (on_host()) BOOST_REQUIRE(cu.module_set_label(module, label) == status::success);
    return module;
}

inline function_handle find(module_handle module, const char* name) {
    function_handle function = nullptr;
    BOOST_REQUIRE(cu.module_get_function(&function, module, name) == status::success);
    return function;
}

/// A descriptor as the host driver needs one.
template <hanabi::text Module, hanabi::text Symbol, class Signature>
struct described {
    static constexpr hanabi::name_view module_name = Module.view();
    static constexpr hanabi::name_view symbol = Symbol.view();
    using function_type = Signature;
};

#endif
