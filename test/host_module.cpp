// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The host driver's modules: which images load and which statuses the others get, functions, parameters, attributes,
// variables.

#define BOOST_TEST_MODULE host_module
#include <boost/test/unit_test.hpp>

#include "support/files.hpp"
#include "support/host_driver.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using hanabi::driver::function_attribute;
using hanabi::driver::jit_option;

namespace {

constexpr const char* ptx = R"(
.version 8.0
.target sm_75
.address_size 64
.global .align 4 .b8 zeros[8];
.const .align 4 .f32 table[3] = {0f3F800000, 2.5, -1};
.visible .global .align 4 .u32 counter = 0x10;
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 outside[100];
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.visible .entry axpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }
.visible .entry mixed(.param .u8 a, .param .align 8 .b8 s[24], .param .u16 c, .param .u64 d) { ret; }
.visible .entry none() { ret; }
.visible .entry bounded(.param .u64 p) .maxntid 128, 2, 1 .minnctapersm 2 {
    .shared .align 8 .b8 tile[500];
    .shared .align 16 .f32 more[4];
    ld.shared.f32 %f1, [tile];
    ret;
}
.visible .entry uses(.param .u64 p) { mov.u32 %r1, outside; ret; }
.visible .entry exact(.param .u64 p) .reqntid 64, 1, 1 { ret; }
.visible .entry clustered(.param .u64 p) .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry mapped(.param .align 64 .b8 map[128], .param .u64 p) { ret; }
)";

status try_load(const void* image) {
    module_handle m = nullptr;
    const status s = cu.module_load_data_ex(&m, image, 0, nullptr, nullptr);
    if (s == status::success)
        cu.module_unload(m);
    else
        BOOST_TEST(m == nullptr);
    return s;
}

struct logged {
    status result;
    std::string errors;
};
logged load_with_log(const void* image, std::size_t room = 1000) {
    std::vector<char> buffer(room, 'x');
    jit_option options[] = {jit_option::error_log_buffer, jit_option::error_log_buffer_size_bytes, jit_option::optimization_level};
    void* values[] = {buffer.data(), reinterpret_cast<void*>(room), nullptr};
    module_handle m = nullptr;
    logged out{};
    out.result = cu.module_load_data_ex(&m, image, 3, options, values);
    out.errors.assign(buffer.data(), reinterpret_cast<std::uintptr_t>(values[1]));
    if (!out.errors.empty()) BOOST_TEST(buffer[out.errors.size()] == '\0');
    return out;
}

int attribute(function_handle f, function_attribute which) {
    int value = -77;
    BOOST_TEST((cu.func_get_attribute(&value, which, f) == status::success));
    return value;
}

std::string case_file(const char* name) { return test::file(std::string{"cases/"} + name); }

} // namespace

BOOST_FIXTURE_TEST_CASE(functions, fresh_driver) {
    const module_handle m = load(ptx);
    const function_handle axpy = find(m, "axpy");
    BOOST_TEST(find(m, "axpy") == axpy); // one function, one handle
    BOOST_TEST(find(m, "none") != axpy);
    function_handle f = reinterpret_cast<function_handle>(std::uintptr_t{42});
    CHECK_REFUSED(cu.module_get_function(&f, m, "apxy"), status::not_found, "the module 'm' has no kernel apxy");
    CHECK_REFUSED(cu.module_get_function(&f, m, "vprintf"), status::not_found, "no kernel vprintf");
    CHECK_REFUSED(cu.module_get_function(&f, m, ""), status::not_found, "no kernel");
    CHECK_REFUSED(cu.module_get_function(&f, m, nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.module_get_function(nullptr, m, "axpy"), status::invalid_value, "null");
    CHECK_REFUSED(cu.module_get_function(&f, nullptr, "axpy"), status::invalid_handle, "module handle is null");
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(f) == 42u); // untouched
    const char* name = nullptr;
    CHECK_OK(cu.func_get_name(&name, axpy));
    BOOST_TEST(name == std::string{"axpy"});
    CHECK_OK(cu.func_load(axpy));
    unsigned count = 0;
    CHECK_OK(cu.module_get_function_count(&count, m));
    BOOST_TEST(count == 8u);
    std::vector<function_handle> all(count + 1);
    CHECK_OK(cu.module_enumerate_functions(all.data(), count, m));
    BOOST_TEST(all[0] == axpy);
    BOOST_TEST(all[count] == nullptr);
    CHECK_REFUSED(cu.module_get_function_count(nullptr, m), status::invalid_value, "null");
    CHECK_REFUSED(cu.module_enumerate_functions(nullptr, 1, m), status::invalid_value, "null");
    CHECK_REFUSED(cu.func_get_name(nullptr, axpy), status::invalid_value, "null");
    BOOST_TEST(cu.module_set_label(m, nullptr) == status::invalid_value);
    BOOST_TEST(cu.module_set_label(nullptr, "x") == status::invalid_handle);
    CHECK_OK(cu.module_unload(m));
    CHECK_REFUSED(cu.func_load(axpy), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.func_get_name(&name, axpy), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.launch_kernel(axpy, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.module_unload(m), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.module_get_function_count(&count, m), status::invalid_handle, "was destroyed already");
    CHECK_REFUSED(cu.module_enumerate_functions(all.data(), 1, m), status::invalid_handle, "was destroyed already");
    BOOST_TEST(find(load(ptx), "axpy") != axpy); // never the same handle again
}

BOOST_FIXTURE_TEST_CASE(unknown_functions_on_order, fresh_driver) {
    const module_handle m = load(ptx);
    host::accept_unknown_functions(true);
    const function_handle f = find(m, "nowhere");
    BOOST_TEST(f != nullptr);
    CHECK_REFUSED(cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::not_found, "has no kernel nowhere");
    host::accept_unknown_functions(false);
    function_handle g = nullptr;
    CHECK_REFUSED(cu.module_get_function(&g, m, "nowhere"), status::not_found, "has no kernel nowhere");
}

BOOST_FIXTURE_TEST_CASE(parameters, fresh_driver) {
    const module_handle m = load(ptx);
    const auto layout = [&](const char* name) {
        const function_handle f = find(m, name);
        std::vector<std::pair<std::size_t, std::size_t>> all;
        std::size_t offset = 0, size = 0;
        while (cu.func_get_param_info(f, all.size(), &offset, &size) == status::success) all.emplace_back(size, offset);
        BOOST_TEST((cu.func_get_param_info(f, all.size(), &offset, &size) == status::invalid_value));
        return all;
    };
    using list = std::vector<std::pair<std::size_t, std::size_t>>;
    BOOST_TEST((layout("axpy") == list{{4, 0}, {8, 8}, {8, 16}, {4, 24}}));
    BOOST_TEST((layout("mixed") == list{{1, 0}, {24, 8}, {2, 32}, {8, 40}}));
    BOOST_TEST((layout("none") == list{}));
    BOOST_TEST((layout("mapped") == list{{128, 48}, {8, 176}})); // sm_90: the bank begins at 528
    std::size_t offset = 0;
    CHECK_OK(cu.func_get_param_info(find(m, "axpy"), 1, &offset, nullptr));
    CHECK_REFUSED(cu.func_get_param_info(find(m, "axpy"), 1, nullptr, nullptr), status::invalid_value, "null");
}

BOOST_FIXTURE_TEST_CASE(attributes, fresh_driver) {
    const module_handle m = load(ptx);
    const function_handle axpy = find(m, "axpy"), bounded = find(m, "bounded"), clustered = find(m, "clustered");
    BOOST_TEST(attribute(axpy, function_attribute::max_threads_per_block) == 1024);
    BOOST_TEST(attribute(bounded, function_attribute::max_threads_per_block) == 256);
    BOOST_TEST(attribute(find(m, "exact"), function_attribute::max_threads_per_block) == 64);
    BOOST_TEST(attribute(axpy, function_attribute::shared_size_bytes) == 0);
    BOOST_TEST(attribute(bounded, function_attribute::shared_size_bytes) == 528); // 500, aligned to 16, and 16
    BOOST_TEST(attribute(find(m, "uses"), function_attribute::shared_size_bytes) == 100);
    BOOST_TEST(attribute(axpy, function_attribute::max_dynamic_shared_size_bytes) == 49152);
    BOOST_TEST(attribute(bounded, function_attribute::max_dynamic_shared_size_bytes) == 49152 - 528);
    BOOST_TEST(attribute(axpy, function_attribute::ptx_version) == 75);
    BOOST_TEST(attribute(axpy, function_attribute::binary_version) == 90);
    BOOST_TEST(attribute(axpy, function_attribute::num_regs) == 0); // PTX: not known
    BOOST_TEST(attribute(axpy, function_attribute::cluster_size_must_be_set) == 0);
    BOOST_TEST(attribute(clustered, function_attribute::cluster_size_must_be_set) == 1);
    BOOST_TEST(attribute(clustered, function_attribute::required_cluster_width) == 2);
    BOOST_TEST(attribute(clustered, function_attribute::required_cluster_height) == 1);

    const auto limit = function_attribute::max_dynamic_shared_size_bytes;
    CHECK_OK(cu.func_set_attribute(bounded, limit, 232448 - 528));
    BOOST_TEST(attribute(bounded, limit) == 232448 - 528);
    CHECK_REFUSED(cu.func_set_attribute(bounded, limit, 232448 - 527), status::invalid_value, "exceeds 231920");
    CHECK_REFUSED(cu.func_set_attribute(bounded, limit, -1), status::invalid_value, "of -1 bytes");
    BOOST_TEST(attribute(bounded, limit) == 232448 - 528);
    CHECK_OK(cu.func_set_attribute(axpy, function_attribute::preferred_shared_memory_carveout, 50));
    BOOST_TEST(attribute(axpy, function_attribute::preferred_shared_memory_carveout) == 50);
    CHECK_REFUSED(cu.func_set_attribute(axpy, function_attribute::preferred_shared_memory_carveout, 101), status::invalid_value, "101");
    CHECK_OK(cu.func_set_attribute(axpy, function_attribute::non_portable_cluster_size_allowed, 1));
    CHECK_REFUSED(cu.func_set_attribute(axpy, function_attribute::non_portable_cluster_size_allowed, 2), status::invalid_value, "flag");
    CHECK_OK(cu.func_set_attribute(axpy, function_attribute::required_cluster_width, 4));
    BOOST_TEST(attribute(axpy, function_attribute::required_cluster_width) == 4);
    CHECK_REFUSED(cu.func_set_attribute(clustered, function_attribute::required_cluster_width, 4), status::invalid_value, "another size");
    CHECK_REFUSED(cu.func_set_attribute(axpy, function_attribute::required_cluster_depth, -4), status::invalid_value, "extent of -4");
    CHECK_OK(cu.func_set_attribute(axpy, function_attribute::cluster_scheduling_policy_preference, 1));
    CHECK_REFUSED(cu.func_set_attribute(axpy, function_attribute::cluster_scheduling_policy_preference, 3), status::invalid_value,
                  "policy of 3");
    CHECK_REFUSED(cu.func_set_attribute(axpy, function_attribute::num_regs, 3), status::invalid_value, "can't be set");
    int value = 0;
    CHECK_REFUSED(cu.func_get_attribute(&value, static_cast<function_attribute>(99), axpy), status::invalid_value, "attribute 99");
    CHECK_REFUSED(cu.func_get_attribute(nullptr, limit, axpy), status::invalid_value, "null");
    CHECK_REFUSED(cu.func_get_attribute(&value, limit, nullptr), status::invalid_handle, "null");
}

BOOST_FIXTURE_TEST_CASE(variables, fresh_driver) {
    const module_handle a = load(ptx), b = load(ptx);
    const auto global = [](module_handle m, const char* name) {
        std::pair<device_address, std::size_t> out;
        BOOST_TEST((cu.module_get_global(&out.first, &out.second, m, name) == status::success));
        return out;
    };
    BOOST_TEST(global(a, "zeros").second == 8u);
    BOOST_TEST(global(a, "table").second == 12u);
    BOOST_TEST(global(a, "counter").second == 4u);
    BOOST_TEST(global(a, "zeros").first != global(b, "zeros").first); // each module has its own
    float table[3];
    unsigned counter = 0, zeros[2] = {1, 1};
    CHECK_OK(cu.memcpy_dtoh_async(table, global(a, "table").first, 12, nullptr));
    CHECK_OK(cu.memcpy_dtoh_async(&counter, global(a, "counter").first, 4, nullptr));
    CHECK_OK(cu.memcpy_dtoh_async(zeros, global(a, "zeros").first, 8, nullptr));
    CHECK_OK(cu.ctx_synchronize());
    BOOST_TEST(table[0] == 1.0f);
    BOOST_TEST(table[1] == 2.5f);
    BOOST_TEST(table[2] == -1.0f);
    BOOST_TEST(counter == 16u);
    BOOST_TEST(zeros[0] == 0u);
    CHECK_REFUSED(cu.memset_d8_async(global(a, "zeros").first, 0, 9, nullptr), status::invalid_value, "runs 1 bytes past the end");
    CHECK_REFUSED(cu.mem_free(global(a, "zeros").first), status::invalid_value, "is a variable of a module");
    device_address address = 0;
    std::size_t size = 0;
    CHECK_REFUSED(cu.module_get_global(&address, &size, a, "nothing"), status::not_found, "has no variable nothing");
    CHECK_REFUSED(cu.module_get_global(&address, &size, a, "outside"), status::not_found, "has no variable outside"); // shared
    CHECK_REFUSED(cu.module_get_global(nullptr, nullptr, a, "zeros"), status::invalid_value, "null");
    CHECK_REFUSED(cu.module_get_global(&address, &size, a, nullptr), status::invalid_value, "null");
    CHECK_OK(cu.module_get_global(&address, nullptr, a, "zeros"));
    CHECK_OK(cu.module_get_global(nullptr, &size, a, "zeros"));
    CHECK_OK(cu.module_unload(a));
    CHECK_REFUSED(cu.memset_d8_async(address, 0, 1, nullptr), status::invalid_value, "freed memory");
    BOOST_TEST(host::balance().device_allocations == 0u);
}

BOOST_FIXTURE_TEST_CASE(what_is_no_image, fresh_driver) {
    CHECK_REFUSED(try_load(""), status::invalid_image, "not recognized");
    CHECK_REFUSED(try_load("   \n"), status::invalid_image, "not recognized");
    CHECK_REFUSED(try_load("some text that is no PTX"), status::invalid_image, "not recognized");
    CHECK_REFUSED(try_load(".target sm_80\n.visible .entry k() { ret; }\n"), status::invalid_image, "not recognized");
    CHECK_REFUSED(try_load("\xef\xbb\xbf.version 8.0\n.target sm_80\n"), status::invalid_image, "byte order mark");
    CHECK_REFUSED(try_load("\x01\x02\x03"), status::invalid_image, "not recognized");
    CHECK_REFUSED(try_load("__CLANG_OFFLOAD_BUNDLE__\x03"), status::invalid_image, "not recognized");
    CHECK_REFUSED(try_load("/usr/share/kernels/a.ptx"), status::invalid_image, "not recognized");
    CHECK_REFUSED(try_load(nullptr), status::invalid_value, "null");
    CHECK_REFUSED(cu.module_load_data_ex(nullptr, ptx, 0, nullptr, nullptr), status::invalid_value, "null");
    module_handle m = nullptr;
    CHECK_REFUSED(cu.module_load_data_ex(&m, ptx, 1, nullptr, nullptr), status::invalid_value, "options are announced and null");
}

BOOST_FIXTURE_TEST_CASE(blobs_of_all_sorts, fresh_driver) {
    // Those a driver takes; everything else is 200, truncated ELF and fatbins aside: no driver can measure those.
    for (const auto& row : test::table("cases/15-image-sniffing/expected.tsv")) {
        const std::string& name = row[0];
        if (name.find("cut_short") != std::string::npos) continue;
        const std::string blob = test::file("cases/15-image-sniffing/blobs/" + name);
        const bool text = name.starts_with("ptx_") && name != "ptx_bom.bin" && name != "ptx_target_first.bin";
        const bool fatbin = name == "fatbin.bin" || name == "fatbin_two.bin";
        const status expected = text || fatbin ? status::success : name == "cubin.bin" ? status::no_binary_for_gpu : status::invalid_image;
        BOOST_TEST_CONTEXT(name) BOOST_TEST(try_load(blob.c_str()) == expected);
    }
}

BOOST_FIXTURE_TEST_CASE(what_does_not_compile, fresh_driver) {
    logged l = load_with_log(".version 9.9\n.target sm_80\n.address_size 64\n");
    BOOST_TEST(l.result == status::unsupported_ptx_version);
    BOOST_TEST(l.errors.find("line 1; fatal   : Unsupported .version 9.9; current version is '9.0'") != std::string::npos, l.errors);
    l = load_with_log(".version 8.0\n.target sm_80\n.visible .entry k( { ret; }\n");
    BOOST_TEST(l.result == status::invalid_ptx);
    BOOST_TEST(l.errors.find("ptxas application ptx input, line 3; error") != std::string::npos, l.errors);
    l = load_with_log(".version 8.0\n.target sm_80\n// caf\xc3\xa9\n");
    BOOST_TEST(l.result == status::invalid_ptx);
    BOOST_TEST(l.errors.find("line 3; fatal") != std::string::npos, l.errors);
    l = load_with_log(".version 9.9\n.target sm_80\n.address_size 64\n", 10); // cut, and terminated
    BOOST_TEST(l.errors == "ptxas app");
    l = load_with_log(".version 8.10\n.target sm_80\n.address_size 64\n"); // newer than 8.9, and older than 9.0
    BOOST_TEST(l.result == status::success);
    BOOST_TEST(l.errors.empty());
    auto options = host::current_options();
    options.driver_version = 12040;
    host::set_options(options);
    l = load_with_log(".version 8.5\n.target sm_80\n");
    BOOST_TEST(l.result == status::unsupported_ptx_version);
    BOOST_TEST(l.errors.find("current version is '8.4'") != std::string::npos, l.errors);
    host::fail(entry::module_load_data_ex, status::invalid_ptx, 1, 1, "ptxas: on order");
    l = load_with_log(ptx);
    BOOST_TEST(l.result == status::invalid_ptx);
    BOOST_TEST(l.errors == "ptxas: on order");
}

BOOST_AUTO_TEST_CASE(architectures) {
    const auto on = [](int major, int minor, const void* image) {
        host::device_config device;
        device.major = major;
        device.minor = minor;
        const fresh_driver driver{{device}};
        return try_load(image);
    };
    const std::string cubin = case_file("17-no-binary-for-gpu/sm_86.cubin");
    BOOST_TEST(on(7, 5, cubin.data()) == status::no_binary_for_gpu);
    BOOST_TEST(on(8, 0, cubin.data()) == status::no_binary_for_gpu);
    BOOST_TEST(on(8, 6, cubin.data()) == status::success);
    BOOST_TEST(on(8, 9, cubin.data()) == status::success);
    BOOST_TEST(on(9, 0, cubin.data()) == status::no_binary_for_gpu);
    BOOST_TEST(on(12, 0, cubin.data()) == status::no_binary_for_gpu);
    const std::string exact = case_file("17-no-binary-for-gpu/sm_90a.cubin");
    BOOST_TEST(on(9, 0, exact.data()) == status::success);
    BOOST_TEST(on(10, 0, exact.data()) == status::no_binary_for_gpu);
    const std::string fatbin = case_file("17-no-binary-for-gpu/multi.fatbin");
    BOOST_TEST(on(7, 5, fatbin.data()) == status::no_binary_for_gpu);
    for (const auto& [major, minor] : {std::pair{8, 0}, {8, 9}, {9, 0}, {10, 0}, {12, 0}})
        BOOST_TEST(on(major, minor, fatbin.data()) == status::success);
    BOOST_TEST(on(7, 5, ".version 8.0\n.target sm_80\n") == status::no_binary_for_gpu);
    BOOST_TEST(on(9, 0, ".version 8.0\n.target sm_90a\n") == status::success);
    BOOST_TEST(on(10, 0, ".version 8.0\n.target sm_90a\n") == status::no_binary_for_gpu);
    const std::string relocatable = case_file("18-relocatable-cubin/rel.cubin");
    BOOST_TEST(on(9, 0, relocatable.data()) == status::no_binary_for_gpu);
}

BOOST_FIXTURE_TEST_CASE(unreadable_code_has_the_kernels_that_have_bodies, fresh_driver) {
    host::device_config newest;
    newest.major = 10;
    host::configure({newest});
    BOOST_REQUIRE(cu.device_primary_ctx_retain(&context, 0) == status::success);
    BOOST_REQUIRE(cu.ctx_set_current(context) == status::success);
    const std::string fatbin = case_file("17-no-binary-for-gpu/multi.fatbin"); // the PTX in it is compressed
    const module_handle m = load(fatbin.data(), "packed");
    function_handle f = nullptr;
    CHECK_REFUSED(cu.module_get_function(&f, m, "k"), status::not_found, "its code can't be read");
    static constexpr described<"packed", "k", void(char, double)> k;
    host::define(k, [](host::thread, char, double) {});
    f = find(m, "k");
    std::size_t offset = 0, size = 0;
    CHECK_OK(cu.func_get_param_info(f, 1, &offset, &size));
    BOOST_TEST(offset == 8u);
    BOOST_TEST(size == 8u);
    BOOST_TEST(cu.func_get_param_info(f, 2, &offset, &size) == status::invalid_value);
}

BOOST_AUTO_TEST_CASE(of_another_context) {
    const fresh_driver driver{std::vector<host::device_config>(2)};
    const module_handle m = load(ptx);
    const function_handle f = find(m, "none");
    context_handle other = nullptr;
    CHECK_OK(cu.device_primary_ctx_retain(&other, 1));
    CHECK_OK(cu.ctx_set_current(other));
    function_handle g = nullptr;
    CHECK_REFUSED(cu.module_get_function(&g, m, "none"), status::invalid_handle, "the module 'm' was loaded into another context");
    CHECK_REFUSED(cu.module_unload(m), status::invalid_handle, "another context");
    CHECK_REFUSED(cu.func_load(f), status::invalid_handle, "the function none was loaded into another context");
    CHECK_REFUSED(cu.launch_kernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), status::invalid_handle, "another context");
    CHECK_OK(cu.ctx_set_current(driver.context));
    CHECK_OK(cu.device_primary_ctx_release(0));
    CHECK_OK(cu.device_primary_ctx_retain(&other, 0));
    CHECK_REFUSED(cu.module_unload(m), status::context_is_destroyed, "went with its context");
    CHECK_REFUSED(cu.func_load(f), status::context_is_destroyed, "went with its context");
}

BOOST_FIXTURE_TEST_CASE(unloading_waits_for_the_kernel, fresh_driver) {
    static constexpr described<"m", "none", void()> none;
    static std::atomic<bool> ran;
    ran = false;
    host::define(none, [](host::thread) { ran = true; });
    const module_handle m = load(ptx);
    const stream_handle s = make_stream();
    gate held{s};
    CHECK_OK(cu.launch_kernel(find(m, "none"), 1, 1, 1, 1, 1, 1, 0, s, nullptr, nullptr));
    std::thread opener{[&] { held.open(); }};
    CHECK_OK(cu.module_unload(m));
    BOOST_TEST(ran);
    opener.join();
}
