// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Every kernel of the examples and of the test data's PTX gives the same bits on the host driver and on a GPU. Arguments are
// made up from the text: pointers, known by what becomes of them, lead to buffers of numbers, everything else is a small
// number. What the buffers hold afterwards is kept in data/executor/kernels.tsv, which this test compares with on both
// drivers. With HANABI_WRITE_TRUTH=FILE, it writes that file.

#define BOOST_TEST_MODULE ptx_kernels
#include <boost/test/unit_test.hpp>

#include <hanabi/current.hpp>
#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>
#include <hanabi/host/ptx.hpp>
#include <hanabi/image.hpp>

#include "support/driver.hpp"
#include "support/files.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace image = hanabi::image;
using hanabi::driver::device_address;
using hanabi::driver::status;

namespace hanabi::driver {
inline std::ostream& boost_test_print_type(std::ostream& out, status s) { return out << name_of(s); }
} // namespace hanabi::driver

namespace {

constexpr std::size_t buffer_bytes = 65536;

/// Kernels whose results say nothing: why.
const std::map<std::string, std::string> left_out = {
    {"../../example/kernels/particles.ptx advance", "takes an index out of memory"},
    {"cases/09-int64-long-or-long-long/kernel.ptx _Z3texyPf", "reads a texture"},
    {"cases/12-ghost-entry-in-comment/unknown_body.ptx future", "has an instruction that is none"},
    {"cases/23-shared-memory-48k-boundary/kernel.ptx with_static", "reads shared memory that nothing has written"},
    {"cases/23-shared-memory-48k-boundary/kernel.ptx no_static", "reads shared memory that nothing has written"},
    {"cases/27-sticky-error-blamed-on-load/kernel.ptx oob", "writes out of bounds"},
    {"kinds/kinds_100.ptx plain", "takes an index out of memory"},
    {"kinds/kinds_75.ptx plain", "takes an index out of memory"},
    {"kinds/kinds_90.ptx plain", "takes an index out of memory"},
    {"ptx/21-texture_objects.ptx texs", "reads a texture"},
    {"ptx/22-text_traps.ptx real_one", "gives an address"},
    {"ptx/23-globals_with_braces.ptx globals", "gives an address"},
};

/// How a kernel is launched: by 32 threads, or as many as it was compiled for.
struct launch {
    std::uint32_t integer = 20; ///< what its 32-bit integers are
    image::extent3 block = {32, 1, 1};
    unsigned shared = 16384; ///< bytes, of a kernel with dynamic shared memory
};
const std::map<std::string, launch> launches = {
    {"../../example/kernels/blas.ptx sum_blocks", {.block = {256, 1, 1}}},
    {"../../example/kernels/solver.ptx dot", {.block = {256, 1, 1}}},
    {"../../example/kernels/stencil.ptx blur_small", {.block = {16, 16, 1}}},
    {"../../example/kernels/stencil.ptx blur_large", {.block = {256, 1, 1}, .shared = 130 * 130 * 4}},
    {"kinds/kinds_75.ptx _Z4hugei4HugePl", {.integer = 2}},
    {"kinds/kinds_90.ptx _Z4hugei4HugePl", {.integer = 2}},
    {"kinds/kinds_100.ptx _Z4hugei4HugePl", {.integer = 2}},
    {"ptx/14-device_functions.ptx calls", {.integer = 0}}};

/// The PTX of the repository that is meant to run, by name below test/data.
std::vector<std::string> files() {
    namespace fs = std::filesystem;
    const fs::path data = HANABI_TEST_DATA_DIR;
    std::vector<std::string> found;
    for (const char* folder : {"cases", "ptx", "kinds", "../../example/kernels"})
        for (const fs::directory_entry& e : fs::recursive_directory_iterator{data / folder})
            if (e.path().extension() == ".ptx" && e.path().parent_path().filename() != "bad" && e.path().stem() != "faults")
                found.push_back(e.path().lexically_relative(data).generic_string());
    std::sort(found.begin(), found.end());
    return found;
}

/// The offsets in a kernel's parameters that hold pointers, by number of the parameter: what is loaded from them becomes an
/// address.
std::map<std::size_t, std::set<std::size_t>> pointers_of(const std::string& text, const image::kernel_summary& kernel) {
    std::map<std::size_t, std::set<std::size_t>> found;
    const std::size_t name = text.find(".entry " + kernel.symbol);
    const std::size_t from = name == std::string::npos ? name : text.find('{', name);
    if (from == std::string::npos) return found;
    const std::string body = text.substr(from, text.find("\n}", from) - from);
    static const std::regex load{R"(ld\.param\.u64\s+(%rd\d+),\s*\[(\w+)_param_(\d+)(?:\+(\d+))?\])"};
    for (std::sregex_iterator at{body.begin(), body.end(), load}, end; at != end; ++at) {
        const std::string reg = (*at)[1];
        const bool converted = std::regex_search(body, std::regex{"cvta\\.to\\.global\\.u64\\s+%rd\\d+,\\s*" + reg + ";"});
        const bool generic = std::regex_search(
            body, std::regex{"add\\.s64\\s+(%rd\\d+),\\s*" + reg + ",\\s*%rd\\d+;\\s*(\\.loc[^\\n]*\\s*)*(st|ld)\\.\\w+\\s+\\[\\1"});
        if (converted || generic) found[std::stoul((*at)[3])].insert((*at)[4].matched ? std::stoul((*at)[4]) : 0);
    }
    return found;
}

/// The bytes of an argument without pointers: small numbers.
std::vector<std::byte> number(const image::parameter& p, std::uint32_t integer) {
    std::vector<std::byte> bytes(p.size);
    const auto put = [&](auto value) { std::memcpy(bytes.data(), &value, std::min(sizeof value, bytes.size())); };
    if (p.type == image::scalar::f32 && p.size == 4)
        put(1.5f);
    else if (p.type == image::scalar::f64 && p.size == 8)
        put(2.25);
    else if (p.size <= 8)
        put(std::uint64_t{p.size == 4 ? integer : p.size == 8 ? 4u : 5u});
    else
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i % 4 == 0 ? 1 + i / 4 % 7 : 0);
    return bytes;
}

/// Whether a text could run by itself: parameters that point to shared memory are OpenCL's, and what another module is to
/// define is missing.
bool can_run(const image::summary& s, const std::string& text) {
    static const std::regex other_module{R"(\.extern \.func[^;]*\b_Z5otheri\b)"};
    return s.complete && !s.parts.empty() && !s.kernels.empty() && text.find(".ptr .shared") == std::string::npos &&
           !std::regex_search(text, other_module);
}

/// FNV-1a, 64 bits.
std::uint64_t hash(const std::vector<std::byte>& bytes, std::uint64_t h) {
    for (const std::byte b : bytes) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
    return h;
}

/// Runs one kernel; a digest of what its buffers hold then.
std::string run(const hanabi::registry& modules, const std::string& text, const image::kernel_summary& kernel, launch how) {
    const hanabi::driver::table& cu = test_driver();
    std::vector<std::uint32_t> fresh(buffer_bytes / 4);
    for (std::size_t i = 0; i < fresh.size(); ++i)
        fresh[i] = 0x3f800000u + static_cast<std::uint32_t>(i % 1024) * 0x1000u; // floats from 1 to 1.5

    std::vector<device_address> buffers;
    std::vector<std::vector<std::byte>> arguments;
    const auto pointers = pointers_of(text, kernel);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const image::parameter& p = kernel.parameters[i];
        arguments.push_back(number(p, how.integer));
        std::set<std::size_t> offsets;
        if (p.pointer) offsets.insert(0);
        if (const auto at = pointers.find(i); at != pointers.end()) offsets.insert(at->second.begin(), at->second.end());
        for (const std::size_t offset : offsets) {
            device_address b = 0;
            BOOST_TEST_REQUIRE(cu.mem_alloc(&b, buffer_bytes) == status::success);
            BOOST_TEST_REQUIRE(cu.memcpy_htod_async(b, fresh.data(), buffer_bytes, nullptr) == status::success);
            std::memcpy(arguments.back().data() + offset, &b, sizeof b);
            buffers.push_back(b);
        }
    }
    std::vector<void*> places;
    for (auto& a : arguments) places.push_back(a.data());
    const auto function = modules.function("m", kernel.symbol);
    if (kernel.bounds.required_threads.volume() > 1) how.block = kernel.bounds.required_threads;
    if (text.find(".extern .shared") == std::string::npos) how.shared = 0;
    if (how.shared > 49152)
        BOOST_TEST(cu.func_set_attribute(function, hanabi::driver::function_attribute::max_dynamic_shared_size_bytes,
                                         static_cast<int>(how.shared)) == status::success);
    const auto blocks = static_cast<unsigned>(std::max<std::uint64_t>(1, kernel.bounds.required_cluster.volume()));
    BOOST_TEST(cu.launch_kernel(function, blocks, 1, 1, how.block.x, how.block.y, how.block.z, how.shared, nullptr, places.data(),
                                nullptr) == status::success);
    BOOST_TEST_REQUIRE(cu.ctx_synchronize() == status::success);
    std::uint64_t h = 0xcbf29ce484222325u;
    for (const device_address b : buffers) {
        std::vector<std::byte> bytes(buffer_bytes);
        BOOST_TEST(cu.memcpy_dtoh_async(bytes.data(), b, buffer_bytes, nullptr) == status::success);
        BOOST_TEST(cu.ctx_synchronize() == status::success);
        h = hash(bytes, h);
        cu.mem_free(b);
    }
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(h));
    return digits;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_same_bits) {
    std::map<std::string, std::string> expected;
    const char* const target = std::getenv("HANABI_WRITE_TRUTH");
    if (target == nullptr)
        for (const auto& row : test::table("executor/kernels.tsv")) expected[row[0] + " " + row[1]] = row[2];
    std::map<std::string, std::string> got;
    std::size_t refused = 0;
    for (const std::string& file : files()) BOOST_TEST_CONTEXT(file) {
            const std::string text = test::file(file);
            const image::summary s = image::summarize(test::bytes_of(text));
            if (!can_run(s, text)) continue;
            const image::gpu_target made_for = s.parts[0].target;
            if (on_host()) {
                hanabi::host::device_config device; // one that takes it
                device.major = static_cast<int>(made_for.sm / 10);
                device.minor = static_cast<int>(made_for.sm % 10);
                hanabi::context::release(0, test_driver());
                hanabi::host::reset({device});
            }
            const hanabi::context gpu = test_context();
            const hanabi::current_context current{gpu};
            const auto has = gpu.compute_capability();
            if (!image::runs_on(image::fatbin_form::ptx, made_for, static_cast<std::uint32_t>(has.major * 10 + has.minor))) continue;
            std::optional<hanabi::registry> modules;
            try {
                modules = hanabi::registry::load(gpu, {{"m", text}});
            } catch (const hanabi::error&) { // the cases of what does not load
                ++refused;
                continue;
            }
            for (const image::kernel_summary& kernel : s.kernels) BOOST_TEST_CONTEXT(kernel.symbol) {
                    const std::string name = file + " " + kernel.symbol;
                    if (left_out.count(name) != 0 || !kernel.parameters_known) continue;
                    got[name] = run(*modules, text, kernel, launches.count(name) != 0 ? launches.at(name) : launch{});
                    if (target == nullptr)
                        BOOST_TEST(got[name] == expected[name], name << ": " << got[name] << " where a GPU gave " << expected[name]);
                }
        }
    BOOST_TEST_MESSAGE(got.size() << " kernels compared, " << refused << " texts do not load");
    if (on_host() && target == nullptr) BOOST_TEST(got.size() == expected.size());
    BOOST_TEST(got.size() > 100u);
    if (target != nullptr) {
        std::ofstream out{target, std::ios::binary};
        out << "file\tkernel\tdigest\n";
        for (const auto& [name, digest] : got)
            out << name.substr(0, name.rfind(' ')) << '\t' << name.substr(name.rfind(' ') + 1) << '\t' << digest << '\n';
    }
}
