// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A library that looks like the libcuda of CUDA version FAKE_CUDA_VERSION (a macro, 1000 * major + 10 * minor): it has the
/// entry points of that version and no newer ones, found in the way drivers of that time let them be found. Behind them is
/// another table (the host driver's, say), or nothing much. Tests steer it through fake_cuda().

#include "fake_libcuda.hpp"

#include <cstddef>
#include <cstring>

#if !defined(FAKE_CUDA_VERSION)
#error "FAKE_CUDA_VERSION is not set"
#endif

namespace {

using hanabi::driver::status;
using namespace hanabi::driver;

fake_cuda_controls controls;

// What answers where there is nothing behind.
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    struct member##_stub {                                                                                                                 \
        static status HANABI_CUDAAPI call parameters { return status::not_supported; }                                                     \
    };
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#undef HANABI_ENTRY

// What the fake answers itself.
status HANABI_CUDAAPI fake_init(unsigned flags) {
    ++controls.init_calls;
    if (controls.init_status != status::success) return controls.init_status;
    return controls.behind != nullptr ? controls.behind->init(flags) : status::success;
}

status HANABI_CUDAAPI fake_driver_get_version(int* version) {
    if (controls.version_status == status::success) *version = FAKE_CUDA_VERSION;
    return controls.version_status;
}

status HANABI_CUDAAPI fake_device_get_count(int* count) {
    if (controls.init_status != status::success) return status::not_initialized;
    if (controls.behind != nullptr) return controls.behind->device_get_count(count);
    *count = controls.devices;
    return status::success;
}

[[maybe_unused]] void* address_of(entry e) {
    switch (e) {
    case entry::init: return reinterpret_cast<void*>(&fake_init);
    case entry::driver_get_version: return reinterpret_cast<void*>(&fake_driver_get_version);
    case entry::device_get_count: return reinterpret_cast<void*>(&fake_device_get_count);
    default: break;
    }
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    if (e == entry::member) {                                                                                                              \
        if (controls.behind != nullptr && (controls.behind->member != nullptr || describe(e).optional))                                    \
            return reinterpret_cast<void*>(controls.behind->member);                                                                       \
        return reinterpret_cast<void*>(&member##_stub::call);                                                                              \
    }
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    return nullptr;
}

[[maybe_unused]] bool hidden(const char* name) {
    for (const char* h : controls.hidden)
        if (h != nullptr && std::strcmp(h, name) == 0) return true;
    return false;
}

enum { found = 0, not_found = 1, version_not_sufficient = 2 }; // CUdriverProcAddressQueryResult

// As driver 580 answers: a version above its own is an error, a name it lacks is none.
[[maybe_unused]] status look_up(const char* name, void** function, int version, std::uint64_t flags, unsigned& result) {
    if (controls.asked_count < sizeof controls.asked / sizeof *controls.asked) {
        auto& question = controls.asked[controls.asked_count++];
        std::strncpy(question.name, name, sizeof question.name - 1);
        question.version = version;
        question.flags = flags;
    }
    if (version > FAKE_CUDA_VERSION) return status::invalid_value;
    *function = nullptr;
    result = not_found;
    int newest = 0; // of the ABIs under that name, the newest that the version asked for has
    for (std::size_t i = 0; i < entry_count; ++i) {
        const entry_description& known = entry_descriptions[i];
        if (std::strcmp(known.name, name) != 0 || known.version > FAKE_CUDA_VERSION || hidden(name)) continue;
        if (result == not_found) result = version_not_sufficient; // an ABI older still, that a real driver could have, is not in the table
        if (version < known.version || known.version < newest) continue;
        newest = known.version;
        result = found;
        *function = address_of(static_cast<entry>(i));
    }
    return status::success;
}

} // namespace

#if defined(_WIN32)
#define FAKE_EXPORT extern "C" __declspec(dllexport)
#else
#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))
#endif

FAKE_EXPORT fake_cuda_controls* fake_cuda() { return &controls; }

// Every driver exports these two plainly.
FAKE_EXPORT status HANABI_CUDAAPI cuInit(unsigned flags) { return fake_init(flags); }
FAKE_EXPORT status HANABI_CUDAAPI cuDriverGetVersion(int* version) { return fake_driver_get_version(version); }

#if FAKE_CUDA_VERSION >= 12000
FAKE_EXPORT status HANABI_CUDAAPI cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t flags,
                                                      unsigned* result) {
    unsigned ignored = 0;
    return look_up(name, function, version, flags, result != nullptr ? *result : ignored);
}
#elif FAKE_CUDA_VERSION >= 11030
FAKE_EXPORT status HANABI_CUDAAPI cuGetProcAddress(const char* name, void** function, int version, std::uint64_t flags) {
    unsigned result = 0;
    const status s = look_up(name, function, version, flags, result);
    return s == status::success && *function == nullptr ? status::not_found : s;
}
#else
// Before cuGetProcAddress there were only exported names. Where an entry had an older ABI, the plain name is that one's, and
// the table's has the suffix _v2. Here every entry has both: the plain one answers not_supported, the other already_mapped,
// which nothing else answers, so that a test sees which was taken. No table can be behind this library.
#define FAKE_SECOND(first, second, ...) second
#define FAKE_CHOOSE(...) FAKE_SECOND(__VA_ARGS__, "", )
#define FAKE_PREFIX(member) FAKE_CHOOSE(FAKE_OWN_##member)
#define FAKE_OWN_init ~, "own_"
#define FAKE_OWN_driver_get_version ~, "own_"
#define FAKE_OWN_device_get_count ~, "own_"
// Names that the table has twice: these came later than any driver without cuGetProcAddress.
#define FAKE_OWN_graph_add_dependencies_v2 ~, "later_"
#define FAKE_OWN_graph_get_edges_v2 ~, "later_"
#define FAKE_OWN_graph_node_get_dependencies_v2 ~, "later_"
#define FAKE_OWN_stream_get_capture_info_v3 ~, "later_"
#define FAKE_OWN_stream_update_capture_dependencies_v2 ~, "later_"
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    FAKE_EXPORT status plain_##member parameters __asm__(FAKE_PREFIX(member) name);                                                        \
    status plain_##member parameters { return status::not_supported; }                                                                     \
    FAKE_EXPORT status suffixed_##member parameters __asm__(FAKE_PREFIX(member) name "_v2");                                               \
    status suffixed_##member parameters { return status::already_mapped; }
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wshadow"
HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY

FAKE_EXPORT status cuDeviceGetCount(int* count) { return fake_device_get_count(count); }
#endif
