// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A shared library opened at run time: the one header that sees <dlfcn.h> or <windows.h>.

#ifndef HANABI_DRIVER_SHARED_LIBRARY_HPP
#define HANABI_DRIVER_SHARED_LIBRARY_HPP

// Boost.DLL was tried first. It keeps to itself what dlerror() said unless it may throw, and "no such file" against
// "needs a newer C library" is the very thing that a report about a missing driver must tell; it unloads in a
// destructor, which nothing here may do; and it needs Boost.Filesystem to link, or a macro in every user's build.

#include <string>

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#if defined(__linux__)
#include <link.h>
#endif
#endif

namespace hanabi::detail {

/// A library that is open, or none. A plain value: copies name the same library, and nothing is closed unless asked.
/// Every function from any thread.
class shared_library {
  public:
    shared_library() = default;

    /// Opens `file`: a path, or a bare name for the platform's search. Resolves everything now (a library that can't
    /// work should fail here) and exports nothing to libraries opened later. On failure returns none and says why.
    static shared_library open(const char* file, std::string& why) {
        shared_library opened;
#if defined(_WIN32)
        // A bare name comes from the system's directory alone, where the display driver installs: never from the current one.
        bool bare = true;
        for (const char* c = file; *c != '\0'; ++c)
            if (*c == '/' || *c == '\\') bare = false;
        opened.handle_ = ::LoadLibraryExA(file, nullptr, bare ? LOAD_LIBRARY_SEARCH_SYSTEM32 : LOAD_WITH_ALTERED_SEARCH_PATH);
        if (!opened) why = "error " + std::to_string(::GetLastError());
#else
        ::dlerror();
        opened.handle_ = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!opened) {
            const char* const reason = ::dlerror();
            why = reason != nullptr ? reason : "dlopen gives no reason";
        }
#endif
        return opened;
    }

    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// The address of an exported function; null if there is none of that name.
    void* find(const char* name) const noexcept {
#if defined(_WIN32)
        return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle_), name));
#else
        return ::dlsym(handle_, name);
#endif
    }

    /// Where the library was found; `file` if the platform can't tell.
    std::string path(const char* file) const {
#if defined(_WIN32)
        char buffer[MAX_PATH + 1] = {};
        const DWORD length = ::GetModuleFileNameA(static_cast<HMODULE>(handle_), buffer, MAX_PATH);
        if (length != 0 && length < MAX_PATH) return buffer;
#elif defined(__linux__)
        ::link_map* map = nullptr;
        if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name != nullptr && *map->l_name != '\0')
            return map->l_name;
#endif
        return file;
    }

    /// Gives one opening back. Only for a library of which nothing was called or kept.
    void close() noexcept {
        if (handle_ == nullptr) return;
#if defined(_WIN32)
        ::FreeLibrary(static_cast<HMODULE>(handle_));
#else
        ::dlclose(handle_);
#endif
        handle_ = nullptr;
    }

    /// Two openings of one library are equal.
    friend bool operator==(shared_library a, shared_library b) noexcept { return a.handle_ == b.handle_; }

  private:
    void* handle_ = nullptr;
};

} // namespace hanabi::detail

#endif
