// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The loader and the choice of a driver, on fake libcudas. Needs HANABI_TEST_LIB_DIR and there fake_libcuda_VERSION.so for
/// 11020, 11040, 12000, 12030, 12080, 13000. Includes no <hanabi/host.hpp>: half of what it tests is what happens then.

#define BOOST_TEST_MODULE driver_loader
#include <boost/test/unit_test.hpp>

#include "fake_libcuda/fake_libcuda.hpp"

#include <hanabi/driver/failure.hpp>
#include <hanabi/driver/loader.hpp>
#include <hanabi/driver/select.hpp>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace driver = hanabi::driver;
using driver::status;

namespace {

/// An environment variable for the length of a block; null removes it.
class variable {
  public:
    variable(const char* name, const char* value) : name_{name} {
        if (const char* const before = std::getenv(name)) {
            was_set_ = true;
            before_ = before;
        }
        set(value);
    }
    ~variable() { set(was_set_ ? before_.c_str() : nullptr); }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;

  private:
    void set(const char* value) {
        if (value != nullptr)
            ::setenv(name_, value, 1);
        else
            ::unsetenv(name_);
    }
    const char* name_;
    bool was_set_ = false;
    std::string before_;
};

/// The error that a call ends in.
template <class Call>
hanabi::error error_of(Call&& call) {
    try {
        call();
    } catch (const hanabi::error& e) {
        return e;
    }
    BOOST_FAIL("no error");
    std::abort();
}

bool contains(const hanabi::error& e, const std::string& part) { return std::string{e.what()}.find(part) != std::string::npos; }

/// True for every optional entry that a driver of this version has, and for every required one.
bool present(const driver::table& table, driver::entry e) {
    switch (e) {
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    case driver::entry::member: return table.member != nullptr;
        HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    case driver::entry::count_: break;
    }
    return false;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_version_has_its_entries_and_no_newer) {
    for (const int version : {11020, 11040, 12000, 12030, 12080, 13000}) {
        BOOST_TEST_CONTEXT("CUDA " << version) {
            const fake_libcuda fake{version};
            const driver::loaded& loaded = fake.load();
            BOOST_TEST(loaded.version == version);
            BOOST_TEST(loaded.path == fake.path());
            BOOST_TEST(loaded.functions.origin == fake.path());
            BOOST_TEST(!loaded.functions.is_host);
            BOOST_TEST(loaded.functions.module_set_label == nullptr);
            BOOST_TEST((loaded.initialised == status::success));
            BOOST_TEST(fake.controls().init_calls == 1);
            for (std::size_t i = 0; i < driver::entry_count; ++i) {
                const driver::entry_description& entry = driver::entry_descriptions[i];
                BOOST_TEST_CONTEXT(entry.name) {
                    BOOST_TEST(present(loaded.functions, static_cast<driver::entry>(i)) == (entry.version <= version));
                }
            }
            int answered = 0;
            BOOST_TEST((loaded.functions.driver_get_version(&answered) == status::success));
            BOOST_TEST(answered == version);
        }
    }
}

BOOST_AUTO_TEST_CASE(each_entry_is_asked_for_at_its_own_version) {
    for (const int version : {11040, 12030, 13000}) {
        const fake_libcuda fake{version};
        fake.load();
        const fake_cuda_controls& seen = fake.controls();
        unsigned expected = 0;
        for (const driver::entry_description& entry : driver::entry_descriptions) {
            if (entry.version > version) continue; // never asked: a version above the driver's is an error
            BOOST_TEST_REQUIRE(expected < seen.asked_count);
            const auto& question = seen.asked[expected++];
            BOOST_TEST(question.name == std::string{entry.name});
            BOOST_TEST(question.version == entry.version);
            BOOST_TEST(question.flags == 1u); // the legacy default stream
        }
        BOOST_TEST(seen.asked_count == expected);
    }
}

BOOST_AUTO_TEST_CASE(entries_with_two_abis) {
    for (const int version : {12000, 12030, 12080, 13000}) {
        BOOST_TEST_CONTEXT("CUDA " << version) {
            const fake_libcuda fake{version};
            const driver::table& table = fake.load().functions;
            const bool both = version >= 12030;
            // Plans need the first of each; edges with data need the second.
            const auto check = [&](auto older, auto newer) {
                BOOST_TEST((older != nullptr));
                BOOST_TEST((newer != nullptr) == both);
                BOOST_TEST(reinterpret_cast<void*>(older) != reinterpret_cast<void*>(newer));
            };
            check(table.graph_add_dependencies, table.graph_add_dependencies_v2);
            check(table.graph_get_edges, table.graph_get_edges_v2);
            check(table.graph_node_get_dependencies, table.graph_node_get_dependencies_v2);
            check(table.stream_get_capture_info, table.stream_get_capture_info_v3);
            check(table.stream_update_capture_dependencies, table.stream_update_capture_dependencies_v2);
            BOOST_TEST((table.graph_add_kernel_node != nullptr));
            BOOST_TEST((table.graph_exec_update != nullptr));
            BOOST_TEST((table.graph_add_node != nullptr) == both);
            BOOST_TEST((table.graph_conditional_handle_create != nullptr) == both);
            BOOST_TEST((table.stream_begin_capture_to_graph != nullptr) == both);
            BOOST_TEST((table.graph_node_get_tools_id == nullptr)); // CUDA 13.1
            std::string asked;
            for (unsigned i = 0; i < fake.controls().asked_count; ++i)
                if (fake.controls().asked[i].name == std::string{"cuGraphAddDependencies"})
                    asked += std::to_string(fake.controls().asked[i].version) + " ";
            BOOST_TEST(asked == (both ? "10000 12030 " : "10000 "));
        }
    }
    // Before cuGetProcAddress the library's own names tell ABIs apart.
    const fake_libcuda old{11020};
    const driver::table& table = old.load().functions;
    BOOST_TEST((table.stream_begin_capture(nullptr, driver::capture_mode::global) == status::already_mapped)); // cuStreamBeginCapture_v2
    BOOST_TEST((table.graph_create(nullptr, 0) == status::not_supported));
    BOOST_TEST((table.graph_add_dependencies(nullptr, nullptr, nullptr, 0) == status::not_supported));
    BOOST_TEST((table.graph_add_kernel_node == nullptr)); // 12.0
}

BOOST_AUTO_TEST_CASE(drivers_before_cuGetProcAddress_give_the_right_abi) {
    const fake_libcuda fake{11020};
    const driver::table& table = fake.load().functions;
    // This fake's _v2 names answer already_mapped.
    std::size_t bytes = 0;
    BOOST_TEST((table.device_total_mem(&bytes, 0) == status::already_mapped));
    BOOST_TEST((table.device_primary_ctx_release(0) == status::already_mapped));
    BOOST_TEST((table.ctx_create(nullptr, 0, 0) == status::already_mapped));
    BOOST_TEST((table.ctx_destroy(nullptr) == status::already_mapped));
    BOOST_TEST((table.stream_destroy(nullptr) == status::already_mapped));
    BOOST_TEST((table.event_destroy(nullptr) == status::already_mapped));
    BOOST_TEST((table.mem_get_info(&bytes, &bytes) == status::already_mapped));
    BOOST_TEST((table.mem_alloc(nullptr, 1) == status::already_mapped));
    BOOST_TEST((table.mem_free(0) == status::already_mapped));
    BOOST_TEST((table.memcpy_htod_async(0, nullptr, 0, nullptr) == status::already_mapped));
    BOOST_TEST((table.memcpy_dtoh_async(nullptr, 0, 0, nullptr) == status::already_mapped));
    BOOST_TEST((table.memcpy_dtod_async(0, 0, 0, nullptr) == status::already_mapped));
    BOOST_TEST((table.module_get_global(nullptr, nullptr, nullptr, "x") == status::already_mapped));
    BOOST_TEST((table.ctx_synchronize() == status::not_supported));
    BOOST_TEST((table.memset_d8_async(0, 0, 0, nullptr) == status::not_supported));
    int count = 0;
    BOOST_TEST((table.device_get_count(&count) == status::success));
}

BOOST_AUTO_TEST_CASE(missing_required_entries_are_all_named) {
    const fake_libcuda fake{12030};
    fake.controls().hidden[0] = "cuMemAlloc";
    fake.controls().hidden[1] = "cuDevicePrimaryCtxRelease";
    fake.controls().hidden[2] = "cuFuncGetName"; // optional
    const hanabi::error e = error_of([&] { fake.load(); });
    BOOST_TEST(e.code() == hanabi::errc::no_driver);
    BOOST_TEST(contains(e, fake.path()), e.what());
    BOOST_TEST(contains(e, "a driver for CUDA 12.3, lacks cuDevicePrimaryCtxRelease (CUDA 11.0), cuMemAlloc (CUDA 3.2);"), e.what());
    BOOST_TEST(!contains(e, "cuFuncGetName"), e.what());
    BOOST_TEST(fake.controls().init_calls == 0);
    BOOST_TEST(driver::try_load({.file = fake.path().c_str()}) == nullptr);

    // A failure is not for ever.
    fake.controls().hidden[0] = fake.controls().hidden[1] = nullptr;
    const driver::loaded& loaded = fake.load();
    BOOST_TEST((loaded.functions.mem_alloc != nullptr));
    BOOST_TEST((loaded.functions.func_get_name == nullptr));
}

BOOST_AUTO_TEST_CASE(one_file_is_loaded_once) {
    const fake_libcuda fake{12080};
    std::vector<const driver::loaded*> seen(4);
    std::vector<std::thread> threads;
    for (auto& place : seen) threads.emplace_back([&] { place = &fake.load(); });
    for (auto& thread : threads) thread.join();
    for (const driver::loaded* one : seen) BOOST_TEST(one == seen.front());
    BOOST_TEST(fake.controls().init_calls == 1);

    const auto at = fake.path().rfind('/');
    const std::string other_spelling = fake.path().substr(0, at) + "/." + fake.path().substr(at);
    BOOST_TEST(driver::try_load({.file = other_spelling.c_str()}) == seen.front());

    const fake_libcuda another{12080};
    BOOST_TEST(&another.load() != seen.front());
}

BOOST_AUTO_TEST_CASE(no_such_file) {
    const hanabi::error e = error_of([] { driver::load({.file = "/nowhere/libcuda.so.1"}); });
    BOOST_TEST(e.code() == hanabi::errc::no_driver);
    BOOST_TEST(contains(e, "/nowhere/libcuda.so.1: cannot open shared object file"), e.what()); // dlerror's words
    BOOST_TEST(!contains(e, "libcuda.so.1: /nowhere"), e.what());                               // and the name once
    BOOST_TEST(!contains(e, "(HANABI_LIBCUDA)"), e.what());
    BOOST_TEST(driver::try_load({.file = "/nowhere/libcuda.so.1"}) == nullptr);
}

BOOST_AUTO_TEST_CASE(not_a_driver) {
    const hanabi::error e = error_of([] { driver::load({.file = "libm.so.6"}); });
    BOOST_TEST(e.code() == hanabi::errc::no_driver);
    BOOST_TEST(contains(e, "libm.so.6 is not the CUDA driver's library: it has no cuDriverGetVersion"), e.what());

    const hanabi::error text = error_of([] { driver::load({.file = __FILE__}); });
    BOOST_TEST(text.code() == hanabi::errc::no_driver);
    BOOST_TEST(contains(text, __FILE__), text.what());
}

BOOST_AUTO_TEST_CASE(the_toolkits_stub) {
    const fake_libcuda fake{13000};
    fake.controls().version_status = status::stub_library;
    const hanabi::error e = error_of([&] { fake.load(); });
    BOOST_TEST(e.code() == status::stub_library);
    BOOST_TEST(contains(e, fake.path()), e.what());
    BOOST_TEST(contains(e, "lib64/stubs"), e.what());
    BOOST_TEST(contains(e, ": CUDA_ERROR_STUB_LIBRARY (34): "), e.what());

    // The real stub, where there is one.
    constexpr char real[] = "/usr/local/cuda/lib64/stubs/libcuda.so";
    if (std::filesystem::exists(real)) BOOST_TEST(error_of([&] { driver::load({.file = real}); }).code() == status::stub_library);
}

BOOST_AUTO_TEST_CASE(a_driver_without_devices_is_a_driver) {
    const fake_libcuda fake{13000};
    fake.controls().init_status = status::no_device;
    const driver::loaded& loaded = fake.load();
    BOOST_TEST((loaded.initialised == status::no_device));
    int count = -1;
    BOOST_TEST((driver::device_count(loaded.functions, count) == status::success));
    BOOST_TEST(count == 0);

    fake.controls().init_status = status::success; // plugged in
    fake.controls().devices = 3;
    BOOST_TEST((driver::device_count(loaded.functions, count) == status::success));
    BOOST_TEST(count == 3);
    BOOST_TEST(&fake.load() == &loaded);
}

BOOST_AUTO_TEST_CASE(a_driver_that_does_not_initialise) {
    const struct {
        status answered;
        const char* advice;
        const char* ending;
    } cases[] = {{status::not_initialized, "kernel module is loaded", "CUDA_ERROR_NOT_INITIALIZED (3): "},
                 {status::system_not_ready, "fabric manager", "CUDA_ERROR_SYSTEM_NOT_READY (802): "},
                 {status::system_driver_mismatch, "restart the machine", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803): "},
                 {status::compat_not_supported_on_device, "cuda-compat", "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE (804): "},
                 {status::unknown, "cuInit failed", "CUDA_ERROR_UNKNOWN (999): "}};
    const fake_libcuda fake{12000};
    int calls = 0;
    for (const auto& c : cases) {
        fake.controls().init_status = c.answered;
        const hanabi::error e = error_of([&] { fake.load(); });
        BOOST_TEST(e.code() == c.answered);
        BOOST_TEST(contains(e, fake.path()), e.what());
        BOOST_TEST(contains(e, c.advice), e.what());
        BOOST_TEST(contains(e, c.ending), e.what());
        BOOST_TEST(fake.controls().init_calls == ++calls); // tried again each time
    }
    fake.controls().init_status = status::success;
    BOOST_TEST(fake.load().version == 12000);
}

BOOST_AUTO_TEST_CASE(the_environment_names_the_library) {
    const fake_libcuda named{12000};
    const fake_libcuda given{12030};
    const variable library{"HANABI_LIBCUDA", named.path().c_str()};
    BOOST_TEST(driver::load().path == named.path());
    BOOST_TEST(given.load().path == given.path()); // an explicit file beats it

    const variable wrong{"HANABI_LIBCUDA", "/nowhere/at/all.so"};
    const hanabi::error e = error_of([] { driver::load(); });
    BOOST_TEST(e.code() == hanabi::errc::no_driver);
    BOOST_TEST(contains(e, "(HANABI_LIBCUDA): /nowhere/at/all.so"), e.what());
    BOOST_TEST(!contains(e, "libcuda.so.1"), e.what()); // nothing else is tried
    BOOST_TEST(given.load().path == given.path());

    const variable empty{"HANABI_LIBCUDA", ""}; // as if unset: the usual names
    if (const driver::loaded* const real = driver::try_load())
        BOOST_TEST(real->path.find("libcuda.so") != std::string::npos);
    else {
        const hanabi::error none = error_of([] { driver::load(); });
        BOOST_TEST(contains(none, "libcuda.so.1"), none.what());
    }
}

BOOST_AUTO_TEST_CASE(without_the_host_driver) {
    BOOST_TEST(driver::try_host() == nullptr);
    const hanabi::error e = error_of([] { driver::host(); });
    BOOST_TEST(e.code() == hanabi::errc::host_driver_not_linked);
    BOOST_TEST(contains(e, "include <hanabi/host.hpp> in one of its source files"), e.what());

    const variable chosen{"HANABI_DRIVER", "host"};
    BOOST_TEST(error_of([] { driver::default_table(); }).code() == hanabi::errc::host_driver_not_linked);
    BOOST_TEST(error_of([] { driver::any(); }).code() == hanabi::errc::host_driver_not_linked);
}

BOOST_AUTO_TEST_CASE(another_driver_than_cuda_or_host) {
    const variable chosen{"HANABI_DRIVER", "CUDA"};
    for (const auto get : {&driver::default_table<>, &driver::any<>}) {
        const hanabi::error e = error_of(get);
        BOOST_TEST(e.code() == hanabi::errc::invalid_argument);
        BOOST_TEST(contains(e, "HANABI_DRIVER is 'CUDA'; it can be 'cuda' or 'host'"), e.what());
    }
}

// The order of this and the next matters: cuda() remembers the first driver that loads.
BOOST_AUTO_TEST_CASE(no_driver_at_all) {
    const variable chosen{"HANABI_DRIVER", nullptr};
    const variable library{"HANABI_LIBCUDA", "/nowhere/at/all.so"};
    BOOST_TEST(driver::try_cuda() == nullptr);
    BOOST_TEST(error_of([] { driver::cuda(); }).code() == hanabi::errc::no_driver);
    BOOST_TEST(error_of([] { driver::default_table(); }).code() == hanabi::errc::no_driver);
    const hanabi::error e = error_of([] { driver::any(); });
    BOOST_TEST(e.code() == hanabi::errc::host_driver_not_linked);
    BOOST_TEST(contains(e, "/nowhere/at/all.so"), e.what()); // why there is no other
    BOOST_TEST(contains(e, "<hanabi/host.hpp>"), e.what());

    const variable insisted{"HANABI_DRIVER", "cuda"};
    BOOST_TEST(error_of([] { driver::any(); }).code() == hanabi::errc::no_driver);
}

BOOST_AUTO_TEST_CASE(the_cuda_driver) {
    const variable chosen{"HANABI_DRIVER", nullptr};
    const fake_libcuda fake{12080};
    const fake_libcuda later{12000};
    const driver::table* first = nullptr;
    {
        const variable library{"HANABI_LIBCUDA", fake.path().c_str()};
        first = &driver::cuda();
    }
    BOOST_TEST(first->origin == fake.path());
    const variable library{"HANABI_LIBCUDA", later.path().c_str()};
    BOOST_TEST(&driver::cuda() == first); // one program, one default driver
    BOOST_TEST(driver::try_cuda() == first);
    BOOST_TEST(&driver::default_table() == first);
    BOOST_TEST(&driver::any() == first);

    fake.controls().devices = 0;
    BOOST_TEST(&driver::default_table() == first);
    const hanabi::error e = error_of([] { driver::any(); });
    BOOST_TEST(e.code() == hanabi::errc::host_driver_not_linked);
    BOOST_TEST(contains(e, fake.path() + ") sees no device"), e.what());
    const variable insisted{"HANABI_DRIVER", "cuda"};
    BOOST_TEST(&driver::any() == first);
}

BOOST_AUTO_TEST_CASE(an_entry_the_driver_is_too_old_for) {
    const fake_libcuda fake{12030};
    const auto failure = hanabi::detail::entry_missing(fake.load().functions, driver::entry::func_get_param_info, "verifying blas::axpy");
    BOOST_TEST(failure.code == hanabi::errc::entry_missing);
    BOOST_TEST(failure.message == "verifying blas::axpy: needs cuFuncGetParamInfo, which drivers have since CUDA 12.4; this one (" +
                                      fake.path() + ") is for CUDA 12.3");
}
