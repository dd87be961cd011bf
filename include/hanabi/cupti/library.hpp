// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The CUPTI library: found and loaded at run time. No link-time dependency, no <cupti.h>.

#ifndef HANABI_CUPTI_LIBRARY_HPP
#define HANABI_CUPTI_LIBRARY_HPP

#include <hanabi/config.hpp>
#include <hanabi/cupti/layout.hpp>
#include <hanabi/cupti/table.hpp>
#include <hanabi/detail/environment.hpp>
#include <hanabi/detail/linked.hpp>
#include <hanabi/detail/loaded_libraries.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/driver/shared_library.hpp>
#include <hanabi/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

// The host driver's CUPTI; null where the program has none: see hanabi/driver/select.hpp for how.
#if defined(_MSC_VER)
extern "C" const hanabi::cupti::table* hanabi_host_cupti_table() noexcept;
extern "C" inline const hanabi::cupti::table* hanabi_host_cupti_absent() noexcept { return nullptr; }
#pragma comment(linker, "/alternatename:hanabi_host_cupti_table=hanabi_host_cupti_absent")
#else
extern "C" __attribute__((weak, visibility("default"))) const hanabi::cupti::table* hanabi_host_cupti_table() noexcept;
#endif

namespace hanabi::cupti {

/// What to load.
struct load_options {
    /// The library, as a path or a name for the platform's search, and no other. Null: HANABI_LIBCUPTI if that is set, else
    /// the usual names and places.
    const char* file = nullptr;
};

} // namespace hanabi::cupti

namespace hanabi::detail {

/// A CUPTI that was found, and how long its records are. Lives as long as the process, and so does the library.
struct loaded_cupti {
    cupti::table functions;
    std::string path;
    std::uint32_t version = 0; ///< CUPTI_API_VERSION; 0: not known
    /// The size of each kind's records; 0 for kinds that the library's own iterator has to step over.
    std::uint32_t strides[activity_kind_count]{};
    shared_library library;
    const loaded_cupti* next = nullptr;
};

struct cupti_loader_state {
    mutex lock;
    const loaded_cupti* first = nullptr;
};

HANABI_SHARED inline cupti_loader_state& the_cupti_loader_state() {
    static cupti_loader_state& state = *new cupti_loader_state;
    return state;
}

/// Asks the library how long records are: a buffer full of one kind's number, whose second record is where the first ends.
/// The iterator looks at the kind alone. 0 if it knows no such kind.
inline std::uint32_t probe_stride(const cupti::table& functions, activity_kind kind) noexcept {
    alignas(8) std::uint8_t bytes[1024];
    for (std::size_t at = 0; at < sizeof bytes; at += 8) {
        const std::uint32_t word[2] = {static_cast<std::uint32_t>(kind), 0};
        std::memcpy(bytes + at, word, sizeof word);
    }
    std::byte* record = nullptr;
    if (functions.activity_get_next_record(bytes, sizeof bytes, &record) != cupti::status::success) return 0;
    if (record != reinterpret_cast<std::byte*>(bytes)) return 0;
    if (functions.activity_get_next_record(bytes, sizeof bytes, &record) != cupti::status::success) return 0;
    const auto stride = static_cast<std::size_t>(record - reinterpret_cast<std::byte*>(bytes));
    return stride % 8 == 0 && stride < sizeof bytes ? static_cast<std::uint32_t>(stride) : 0;
}

/// Probes every kind that is read. False if the library steps over less than what is read of a kind: then its records are
/// not what this library takes them for.
inline bool probe_strides(loaded_cupti& made, failure& why) {
    for (std::uint32_t number = 1; number < activity_kind_count; ++number) {
        const auto kind = static_cast<activity_kind>(number);
        const std::size_t required = cupti::layout::required_of(kind);
        if (required == 0) continue;
        const std::uint32_t stride = probe_stride(made.functions, kind);
        if (stride == 0) continue; // a kind it does not have
        if (stride < required) {
            why = {make_error_code(errc::unknown_layout),
                   "loading CUPTI: " + made.path + " writes " + name_of(kind) + " records of " + std::to_string(stride) +
                       " bytes, and the fields that are read of them take " + std::to_string(required) +
                       "; the layout is unknown: use the libcupti of CUDA 11 or later"};
            return false;
        }
        made.strides[number] = stride;
    }
    if (made.strides[static_cast<std::uint32_t>(activity_kind::concurrent_kernel)] == 0) {
        why = {make_error_code(errc::unknown_layout), "loading CUPTI: " + made.path +
                                                          " does not say how long its kernel records are (cuptiActivityGetNextRecord); "
                                                          "use the libcupti of CUDA 11 or later"};
        return false;
    }
    return true;
}

/// The names and places to try, in order.
inline std::vector<std::string> cupti_candidates() {
    std::vector<std::string> all;
    const auto add = [&all](std::string file) {
        for (const std::string& known : all)
            if (known == file) return;
        all.push_back(std::move(file));
    };
#if defined(_WIN32)
    static const char* const names[] = {"cupti64_2025.3.1.dll", "cupti64_2025.3.0.dll", "cupti64_2025.2.1.dll", "cupti64_2025.1.1.dll",
                                        "cupti64_2024.3.2.dll", "cupti64_2023.3.1.dll", "cupti64_2022.4.1.dll"};
    for (const char* const name : names) add(name);
    for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const home = environment(variable))
            for (const char* const name : names) add(std::string{home} + "\\extras\\CUPTI\\lib64\\" + name);
#else
    static const char* const names[] = {"libcupti.so", "libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so.11"};
    for (const char* const name : names) add(name);
    const auto add_home = [&](const std::string& home) {
        for (const char* const place : {"/lib64/", "/extras/CUPTI/lib64/"})
            for (const char* const name : names) add(home + place + name);
    };
    for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const home = environment(variable)) add_home(home);
    add_home("/usr/local/cuda");
    // The Python wheels': beside the libcudart that is loaded (CUDA 13), or in a package next to its own (12 and 11).
    for (const std::string& runtime : loaded_libraries("libcudart")) {
        const std::string folder = runtime.substr(0, runtime.rfind('/') + 1);
        for (const char* const name : names) {
            add(folder + name);
            add(folder + "../../cuda_cupti/lib/" + name);
        }
    }
#endif
    return all;
}

/// The rest of a library once its table is filled.
inline bool finish_cupti(loaded_cupti& made, failure& why) {
    std::string missing;
#define HANABI_ENTRY(member, name, need, parameters)                                                                                       \
    if (made.functions.member == nullptr && std::strcmp(#need, "required") == 0) missing.append(missing.empty() ? "" : ", ").append(name);
    HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    if (!missing.empty()) {
        why = {make_error_code(errc::symbol_not_found),
               "loading CUPTI: " + made.path + " lacks " + missing +
                   "; it is no libcupti, or one older than CUDA 6: point HANABI_LIBCUPTI to another"};
        return false;
    }
    if (made.functions.get_version != nullptr) made.functions.get_version(&made.version);
    return probe_strides(made, why);
}

/// Fills a table from an open library.
inline bool fill_cupti(loaded_cupti& made, failure& why) {
#define HANABI_ENTRY(member, name, need, parameters)                                                                                       \
    made.functions.member = reinterpret_cast<decltype(cupti::table::member)>(made.library.find(name));
    HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    made.functions.origin = made.path.c_str();
    return finish_cupti(made, why);
}

/// Loads CUPTI, or finds it among those loaded. Null and a reason when that fails. No failure is remembered.
inline const loaded_cupti* load_cupti(cupti::load_options options, failure& why) {
    const char* const named = options.file != nullptr ? options.file : environment("HANABI_LIBCUPTI");
    const std::vector<std::string> candidates = named != nullptr ? std::vector<std::string>{named} : cupti_candidates();
    cupti_loader_state& state = the_cupti_loader_state();
    const lock held{state.lock};

    shared_library library;
    std::string file;
    std::string tried;
    std::string reason;
    for (const std::string& candidate : candidates) {
        file = candidate;
        tried.append(tried.empty() ? "" : ", ").append(candidate);
        if (candidate.empty())
            reason = "the name is empty"; // which would be the program itself
        else
            library = shared_library::open(candidate.c_str(), reason);
        if (library) break;
    }
    if (!library) {
        why = {make_error_code(errc::library_not_found), std::string{"loading CUPTI: no library could be opened"} +
                                                             (named != nullptr && options.file == nullptr ? " (HANABI_LIBCUPTI)" : "") +
                                                             "; tried " + tried + "; the last error: " + reason +
                                                             "; install the CUDA toolkit's CUPTI, or set HANABI_LIBCUPTI to its library"};
        return nullptr;
    }
    for (const loaded_cupti* known = state.first; known != nullptr; known = known->next)
        if (known->library == library) {
            library.close(); // one opening is kept already
            return known;
        }
    auto* const made = new loaded_cupti;
    made->library = library;
    made->path = library.path(file.c_str());
    if (!fill_cupti(*made, why)) {
        delete made; // the library stays: it may have started threads when it was loaded
        return nullptr;
    }
    made->next = state.first;
    state.first = made; // for good
    return made;
}

/// Whether two tables lead to the same functions.
inline bool same_entries(const cupti::table& a, const cupti::table& b) noexcept {
    bool same = a.is_host == b.is_host;
#define HANABI_ENTRY(member, name, need, parameters) same = same && a.member == b.member;
    HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
    return same;
}

/// A table that somebody else filled, as a loaded library.
inline const loaded_cupti* adopt_cupti(const cupti::table& functions, failure& why) {
    cupti_loader_state& state = the_cupti_loader_state();
    const lock held{state.lock};
    for (const loaded_cupti* known = state.first; known != nullptr; known = known->next)
        if (!known->library && same_entries(known->functions, functions)) return known;
    auto* const made = new loaded_cupti;
    made->functions = functions;
    made->path = functions.origin;
    if (!finish_cupti(*made, why)) {
        delete made;
        return nullptr;
    }
    made->next = state.first;
    state.first = made;
    return made;
}

} // namespace hanabi::detail

namespace hanabi::cupti {

/// A CUPTI to record with: a plain value that names it, or none. Any thread.
class library {
  public:
    /// None: sessions made from it say errc::library_not_found.
    library() = default;

    /// Loads CUPTI, once for each library file. In order: libcupti.so and .13, .12, .11 by the platform's search; lib64 and
    /// extras/CUPTI/lib64 of CUDA_HOME, CUDA_PATH and /usr/local/cuda; where the Python wheels have it, beside the libcudart
    /// that is loaded. HANABI_LIBCUPTI, or the options, name one and rule out all others.
    ///
    /// Throws errc::library_not_found, naming every candidate and the last one's reason; errc::symbol_not_found, naming what the
    /// file lacks; errc::unknown_layout for a library whose records can't be read. Neither needs a driver: that is
    /// found out when a session starts.
    static library load(load_options options = {}) {
        hanabi::detail::failure why;
        const library found = load(options, why);
        if (!found) hanabi::detail::raise(why);
        return found;
    }
    /// The twin that does not throw: none, and a code.
    static library load(load_options options, std::error_code& code) {
        hanabi::detail::failure why;
        const library found = load(options, why);
        code = why.code;
        return found;
    }
    /// The same with the words of what went wrong.
    static library load(load_options options, hanabi::detail::failure& why) { return library{hanabi::detail::load_cupti(options, why)}; }
    static library load(std::error_code& code) { return load(load_options{}, code); }

    /// A table filled by somebody else; sessions don't see the difference. Throws errc::symbol_not_found, errc::unknown_layout.
    static library from(const table& functions) {
        hanabi::detail::failure why;
        const library found{hanabi::detail::adopt_cupti(functions, why)};
        if (!found) hanabi::detail::raise(why);
        return found;
    }

    /// The host driver's. Throws errc::host_driver_not_linked where no source file includes <hanabi/host/cupti.hpp>.
    static library host() {
        const table* const functions = host_table();
        if (functions == nullptr)
            hanabi::detail::raise(make_error_code(errc::host_driver_not_linked),
                                  "hanabi::cupti::library::host: the host driver's CUPTI is not part of this program; include "
                                  "<hanabi/host.hpp> in one of its source files");
        return from(*functions);
    }
    /// The one that records a context's work: the host driver's for a context of the host driver, else the real one. Throws
    /// as host() and load() do. `Context` is hanabi::context.
    template <class Context>
    static library of(const Context& context) {
        return context.table().is_host ? host() : load();
    }

    explicit operator bool() const noexcept { return state_ != nullptr; }
    /// Entry points; not to be called on a library that is none.
    const table& functions() const noexcept { return state_->functions; }
    /// Where the library was found; "" for none.
    const char* path() const noexcept { return state_ == nullptr ? "" : state_->path.c_str(); }
    /// CUPTI_API_VERSION: 130000 and above from CUDA 13.0 on, 13 to 28 for CUDA 11.0 to 12.9. 0: not known.
    std::uint32_t version() const noexcept { return state_ == nullptr ? 0 : state_->version; }
    /// Whether the library has an entry point.
    bool supports(entry e) const noexcept {
        if (state_ == nullptr) return false;
        switch (e) {
#define HANABI_ENTRY(member, name, need, parameters)                                                                                       \
    case entry::member: return state_->functions.member != nullptr;
            HANABI_CUPTI_ENTRIES(HANABI_ENTRY)
#undef HANABI_ENTRY
        case entry::count_: break;
        }
        return false;
    }
    /// How many bytes a record of a kind takes; 0 for kinds that are not read, and those that the library does not have.
    std::size_t record_size(activity_kind kind) const noexcept {
        const auto number = static_cast<std::uint32_t>(kind);
        return state_ == nullptr || number >= activity_kind_count ? 0 : state_->strides[number];
    }

    /// How long the record at an offset of a buffer with so many valid bytes is: kinds that are not read are stepped over by the
    /// library's own iterator. 0 if that can't be told: nothing behind it can be found then.
    std::size_t record_size_at(const std::uint8_t* buffer, std::size_t valid, std::size_t at) const noexcept {
        if (valid - at < 8) return 0;
        std::uint32_t kind;
        std::memcpy(&kind, buffer + at, sizeof kind);
        if (const std::size_t known = record_size(static_cast<activity_kind>(kind)); known != 0) return known <= valid - at ? known : 0;
        auto* const begin = const_cast<std::uint8_t*>(buffer); // CUPTI's interface is not const; it only reads
        auto* record = reinterpret_cast<std::byte*>(begin + at);
        const status s = state_->functions.activity_get_next_record(begin, valid, &record);
        if (s == status::max_limit_reached) return valid - at;
        if (s != status::success) return 0;
        const auto next = static_cast<std::size_t>(record - reinterpret_cast<std::byte*>(begin));
        return next > at && next <= valid ? next - at : 0;
    }
    /// record_size of every kind, by number.
    const std::uint32_t* strides() const noexcept { return state_->strides; }

    friend bool operator==(library a, library b) noexcept { return a.state_ == b.state_; }

  private:
    explicit library(const hanabi::detail::loaded_cupti* state) noexcept : state_{state} {}
    static const table* host_table() noexcept {
#if !defined(_MSC_VER)
        if (!hanabi::detail::is_linked(&hanabi_host_cupti_table)) return nullptr;
#endif
        return hanabi_host_cupti_table();
    }

    const hanabi::detail::loaded_cupti* state_ = nullptr;
};

/// Whether a CUPTI can be loaded. Says nothing about the driver. Never throws.
inline bool available() noexcept {
#if defined(BOOST_NO_EXCEPTIONS) || !defined(__cpp_exceptions)
    std::error_code code;
    return static_cast<bool>(library::load(code));
#else
    try {
        std::error_code code;
        return static_cast<bool>(library::load(code));
    } catch (...) {
        return false; // memory is out
    }
#endif
}

} // namespace hanabi::cupti

#endif
