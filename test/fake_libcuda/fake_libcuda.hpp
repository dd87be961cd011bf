// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The fake libcuda seen from tests: which one to open, what it should do, what it was asked. Needs the macro
/// HANABI_TEST_LIB_DIR, the folder of fake_libcuda_VERSION.so, for the versions in test/shared_objects.cmake.

#ifndef HANABI_TEST_FAKE_LIBCUDA_HPP
#define HANABI_TEST_FAKE_LIBCUDA_HPP

#include <hanabi/driver/table.hpp>

#include <cstdint>

/// What a test and the library share; the exported function fake_cuda() hands it out. Not synchronised.
struct fake_cuda_controls {
    /// What answers behind the entry points; set before the library is loaded. Null, or a required entry that is null
    /// there: not_supported, but for those few that loading needs.
    const hanabi::driver::table* behind = nullptr;
    hanabi::driver::status version_status = hanabi::driver::status::success; ///< of cuDriverGetVersion
    hanabi::driver::status init_status = hanabi::driver::status::success;    ///< of cuInit
    int devices = 1;                                                         ///< of cuDeviceGetCount, with nothing behind
    const char* hidden[4] = {};                                              ///< entries that are not found

    int init_calls = 0;
    struct question {
        char name[64];
        int version;
        std::uint64_t flags;
    };
    question asked[256] = {}; ///< of cuGetProcAddress, in order
    unsigned asked_count = 0;
};

#if defined(HANABI_TEST_LIB_DIR)

#include <hanabi/driver/loader.hpp>
#include <hanabi/driver/shared_library.hpp>

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <string>

#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

/// A fake driver of one CUDA version, in a copy of the library's file: each object has its own state, and the loader has
/// not seen it before. The copy is removed with the object, which the system allows while it is loaded.
class fake_libcuda {
  public:
    explicit fake_libcuda(int version, const hanabi::driver::table* behind = nullptr) {
        static std::atomic<int> serial{0};
#if defined(_WIN32)
        const int process = ::_getpid();
#else
        const int process = static_cast<int>(::getpid());
#endif
        const std::string name = "fake_libcuda_" + std::to_string(version);
        copy_ = std::filesystem::temp_directory_path() / (name + "_" + std::to_string(process) + "_" + std::to_string(++serial) + ".so");
        std::filesystem::copy_file(HANABI_TEST_LIB_DIR "/" + name + ".so", copy_, std::filesystem::copy_options::overwrite_existing);
        path_ = copy_.string();
        std::string why;
        const auto library = hanabi::detail::shared_library::open(path_.c_str(), why);
        if (!library) throw std::runtime_error{why};
        controls_ = reinterpret_cast<fake_cuda_controls* (*)()>(library.find("fake_cuda"))();
        controls_->behind = behind;
    }
    ~fake_libcuda() {
        std::error_code ignored;
        std::filesystem::remove(copy_, ignored);
    }
    fake_libcuda(const fake_libcuda&) = delete;
    fake_libcuda& operator=(const fake_libcuda&) = delete;

    const std::string& path() const noexcept { return path_; }
    fake_cuda_controls& controls() const noexcept { return *controls_; }

    /// The table that the loader makes of it.
    const hanabi::driver::loaded& load() const { return hanabi::driver::load({.file = path_.c_str()}); }

  private:
    std::filesystem::path copy_;
    std::string path_;
    fake_cuda_controls* controls_ = nullptr;
};

#endif

#endif
