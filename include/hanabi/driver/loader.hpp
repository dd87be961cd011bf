// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The loader: finds libcuda at run time and fills a driver table from it. No link-time dependency, no CUDA header.

#ifndef HANABI_DRIVER_LOADER_HPP
#define HANABI_DRIVER_LOADER_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/environment.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/driver/error_text.hpp>
#include <hanabi/driver/shared_library.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace hanabi::driver {

/// What to load.
struct load_options {
    /// The library, as a path or a name for the platform's search. Null: HANABI_LIBCUDA if that is set, else the
    /// driver's usual names.
    const char* file = nullptr;
};

/// A driver library that was loaded, and the table made from it. Lives as long as the process, and so does the library:
/// unloading a driver under live contexts can't be made safe, and at exit there would be nothing to gain.
struct loaded {
    table functions;                      ///< the entry points; its origin is `path`
    std::string path;                     ///< where the library was found
    int version = 0;                      ///< CUDA version of the driver, 1000 * major + 10 * minor
    status initialised = status::success; ///< what cuInit answered: success, or no_device
};

} // namespace hanabi::driver

namespace hanabi::detail {

/// cuGetProcAddress, since CUDA 12.0 and since CUDA 11.3.
using get_proc_address_12000 = driver::status(HANABI_CUDAAPI*)(const char* name, void** function, int version, std::uint64_t flags,
                                                               unsigned* found);
using get_proc_address_11030 = driver::status(HANABI_CUDAAPI*)(const char* name, void** function, int version, std::uint64_t flags);

/// CU_GET_PROC_ADDRESS_LEGACY_STREAM: asked for outright, because the default depends on how others were compiled.
inline constexpr std::uint64_t legacy_stream = 1;

/// True for the entries that libcuda exports with the suffix _v2 at the version the table asks for: they had another ABI
/// before. Of use only with drivers older than cuGetProcAddress, which knows by itself.
constexpr bool exported_as_v2(driver::entry e) noexcept {
    switch (e) {
    case driver::entry::device_total_mem:
    case driver::entry::device_primary_ctx_release:
    case driver::entry::ctx_create:
    case driver::entry::ctx_destroy:
    case driver::entry::stream_destroy:
    case driver::entry::event_destroy:
    case driver::entry::mem_get_info:
    case driver::entry::mem_alloc:
    case driver::entry::mem_free:
    case driver::entry::memcpy_htod_async:
    case driver::entry::memcpy_dtoh_async:
    case driver::entry::memcpy_dtod_async:
    case driver::entry::module_get_global:
    case driver::entry::stream_begin_capture: return true;
    default: return false;
    }
}

/// Finds entry points in one library, by the newest way that it has.
class driver_resolver {
  public:
    driver_resolver(shared_library library, int version) noexcept : library_{library}, version_{version} {
        newest_ = reinterpret_cast<get_proc_address_12000>(library.find("cuGetProcAddress_v2"));
        if (newest_ == nullptr) older_ = reinterpret_cast<get_proc_address_11030>(library.find("cuGetProcAddress"));
    }

    /// The entry's address, with the ABI of the table; null if the driver has none. An entry newer than the driver is
    /// not asked for: the driver fails a version above its own, and a lower one could name another ABI.
    void* find(driver::entry e) const noexcept {
        const driver::entry_description& wanted = driver::describe(e);
        if (wanted.version > version_) return nullptr;
        void* address = nullptr;
        if (newest_ != nullptr) {
            unsigned found = 0;
            return newest_(wanted.name, &address, wanted.version, legacy_stream, &found) == driver::status::success ? address : nullptr;
        }
        if (older_ != nullptr)
            return older_(wanted.name, &address, wanted.version, legacy_stream) == driver::status::success ? address : nullptr;
        if (!exported_as_v2(e)) return library_.find(wanted.name);
        char name[64];
        const std::size_t length = std::strlen(wanted.name);
        if (length + sizeof "_v2" > sizeof name) return nullptr;
        std::memcpy(name, wanted.name, length);
        std::memcpy(name + length, "_v2", sizeof "_v2");
        return library_.find(name);
    }

  private:
    shared_library library_;
    int version_;
    get_proc_address_12000 newest_ = nullptr;
    get_proc_address_11030 older_ = nullptr;
};

/// The libraries loaded so far, newest first; nodes are never freed.
struct loaded_library : shared_object {
    shared_library library;
    driver::loaded result;
    const loaded_library* next = nullptr;
};

struct loader_state {
    mutex lock;
    const loaded_library* first = nullptr;
};

/// One for the process, never destroyed: a driver may be asked for at exit too.
HANABI_SHARED inline loader_state& the_loader_state() {
    static loader_state& state = *new loader_state;
    return state;
}

/// Says that a driver call of the loader failed.
template <class = void>
failure loader_failure(const std::string& path, const char* call, driver::status s) {
    std::string message = "loading the CUDA driver from " + path + ": " + call + " failed";
    if (const char* const advice = driver::advice_for(s); *advice != '\0') message.append("; ").append(advice);
    message.append(": ").append(driver::error_text(s));
    return {make_error_code(s), std::move(message)};
}

/// Fills `result` from an open library.
template <class = void>
bool fill_table(shared_library library, driver::loaded& result, failure& why) {
    using driver_get_version_type = decltype(driver::table::driver_get_version);
    const auto get_version = reinterpret_cast<driver_get_version_type>(library.find("cuDriverGetVersion"));
    if (get_version == nullptr) {
        why = {make_error_code(errc::no_driver),
               "loading the CUDA driver: " + result.path + " is not the CUDA driver's library: it has no cuDriverGetVersion"};
        return false;
    }
    if (const driver::status s = get_version(&result.version); s != driver::status::success) {
        why = loader_failure(result.path, "cuDriverGetVersion", s);
        return false;
    }

    const driver_resolver find{library, result.version};
    std::string missing;
    const auto lacks = [&missing](driver::entry e) {
        const driver::entry_description& wanted = driver::describe(e);
        if (wanted.optional) return;
        missing.append(missing.empty() ? "" : ", ")
            .append(wanted.name)
            .append(" (CUDA ")
            .append(driver::version_text(wanted.version))
            .append(")");
    };
#define HANABI_ENTRY(member, name, version, need, parameters)                                                                              \
    result.functions.member = reinterpret_cast<decltype(driver::table::member)>(find.find(driver::entry::member));                         \
    if (result.functions.member == nullptr) lacks(driver::entry::member);
    HANABI_DRIVER_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    result.functions.origin = result.path.c_str();
    if (!missing.empty()) {
        why = {make_error_code(errc::no_driver), "loading the CUDA driver: " + result.path + ", a driver for CUDA " +
                                                     driver::version_text(result.version) + ", lacks " + missing +
                                                     "; install a newer driver"};
        return false;
    }
    return true;
}

/// Initialises the driver. A driver that sees no device is initialised as far as it can be.
template <class = void>
bool initialise(driver::loaded& result, failure& why) {
    result.initialised = result.functions.init(0);
    if (result.initialised == driver::status::success || result.initialised == driver::status::no_device) return true;
    why = loader_failure(result.path, "cuInit", result.initialised);
    return false;
}

/// Loads one library, or finds it among those loaded. Null and a reason when that fails.
template <class = void>
const driver::loaded* load_driver(driver::load_options options, failure& why) {
    const char* const chosen = options.file != nullptr ? options.file : environment("HANABI_LIBCUDA");
    const char* const usual[] = {
#if defined(_WIN32)
        "nvcuda.dll"
#else
        "libcuda.so.1",                       // what the driver's package installs; plain libcuda.so may be a toolkit's stub
        "/usr/lib/wsl/lib/libcuda.so.1",      // under Windows, often not in the search path
        "/run/opengl-driver/lib/libcuda.so.1" // NixOS has no search path
#endif
    };
    const char* const* const candidates = chosen != nullptr ? &chosen : usual;
    const std::size_t count = chosen != nullptr ? 1 : sizeof usual / sizeof *usual;

    loader_state& state = the_loader_state();
    // Held through cuInit too: whoever comes second wants the first one's result, and has nothing to do before.
    const detail::lock held{state.lock};

    std::string tried;
    shared_library library;
    const char* file = nullptr;
    for (std::size_t i = 0; i < count && !library; ++i) {
        file = candidates[i];
        std::string reason;
        library = shared_library::open(file, reason);
        if (library) break;
        tried.append(tried.empty() ? "" : "; ");
        if (reason.compare(0, std::strlen(file), file) != 0) tried.append(file).append(": "); // most platforms name it themselves
        tried.append(reason);
    }
    if (!library) {
        std::string message = "loading the CUDA driver: no library could be opened";
        if (chosen != nullptr && options.file == nullptr) message += " (HANABI_LIBCUDA)";
        why = {make_error_code(errc::no_driver),
               message + ": " + tried + "; install the NVIDIA driver, or set HANABI_LIBCUDA to its library"};
        return nullptr;
    }

    for (const loaded_library* known = state.first; known != nullptr; known = known->next)
        if (known->library == library) {
            library.close(); // one opening is kept already
            return &known->result;
        }

    const auto made = shared<loaded_library>::make();
    made->library = library;
    made->result.path = library.path(file);
    // No failure is remembered, so the next call tries again: a container's driver may be mounted late, a kernel module
    // loaded, a service started.
    if (!fill_table(library, made->result, why)) {
        library.close(); // else a stub would answer to the name libcuda.so.1 for the rest of the process
        return nullptr;
    }
    if (!initialise(made->result, why)) return nullptr; // stays open: cuInit may have started threads
    made->next = state.first;
    state.first = made.get();
    made->retain(); // for good
    return &made->result;
}

} // namespace hanabi::detail

namespace hanabi::driver {

/// Loads the CUDA driver and calls cuInit(0), once for each library file: a later call for the same library returns the
/// same object, whatever name it was asked by. A machine with a driver and no device is no failure here: `initialised` says
/// so. A failure is not remembered; the next call tries again. Thread-safe.
///
/// Throws error: errc::no_driver when no candidate opens (each is named, with the platform's reason), when the file is not
/// the driver's library, or when it lacks required entries (each is named, with the CUDA version that brought it); the
/// driver's own status when cuDriverGetVersion or cuInit fails (34 for the toolkit's stub, 803 for a half-updated
/// driver...).
template <class = void>
const loaded& load(load_options options = {}) {
    hanabi::detail::failure why;
    const loaded* const result = hanabi::detail::load_driver(options, why);
    if (result == nullptr) hanabi::detail::raise(std::move(why));
    return *result;
}

/// load(), with null in place of an error.
template <class = void>
const loaded* try_load(load_options options = {}) {
    hanabi::detail::failure why;
    return hanabi::detail::load_driver(options, why);
}

} // namespace hanabi::driver

#endif
