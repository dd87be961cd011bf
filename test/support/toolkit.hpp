// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The CUDA toolkit's programs, where they are installed, and a scratch folder for what they make.

#ifndef HANABI_TEST_SUPPORT_TOOLKIT_HPP
#define HANABI_TEST_SUPPORT_TOOLKIT_HPP

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <stdlib.h>
#include <unistd.h>

namespace test {

/// A folder of its own, gone with the object.
class scratch_folder {
  public:
    scratch_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "hanabi_test_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"no scratch folder " + name};
        path_ = name;
    }
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    /// The full name of a file in it.
    std::string path(const std::string& name) const { return (path_ / name).string(); }
    /// Writes a file; returns its full name.
    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream out{path(name), std::ios::binary};
        out << content;
        out.close();
        if (!out) throw std::runtime_error{"can't write " + path(name)};
        return path(name);
    }
    /// The content of a file, wherever it is.
    std::string read(const std::string& full_name) const {
        std::ifstream in{full_name, std::ios::binary};
        if (!in) throw std::runtime_error{"can't read " + full_name};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

  private:
    std::filesystem::path path_;
};

/// ptxas, fatbinary and nvcc, from where PATH or the usual places have them.
class toolkit : public scratch_folder {
  public:
    toolkit() {
        std::string places;
        for (const char* variable : {"PATH", "CUDA_HOME", "CUDA_PATH"})
            if (const char* const value = std::getenv(variable); value != nullptr)
                places += std::string{value} + (std::string{variable} == "PATH" ? ":" : "/bin:");
        places += "/usr/local/cuda/bin:";
        for (std::size_t begin = 0, end = 0; (end = places.find(':', begin)) != std::string::npos; begin = end + 1) {
            const std::string place = places.substr(begin, end - begin);
            if (::access((place + "/ptxas").c_str(), X_OK) == 0 && ::access((place + "/fatbinary").c_str(), X_OK) == 0) {
                place_ = place;
                break;
            }
        }
    }

    bool there() const { return !place_.empty(); }
    bool has_nvcc() const { return there() && ::access((place_ + "/nvcc").c_str(), X_OK) == 0; }
    /// The status of one run; what they say goes to standard error when they fail.
    int ptxas(const std::string& arguments) const { return run("ptxas", arguments); }
    int fatbinary(const std::string& arguments) const { return run("fatbinary", arguments); }
    int nvcc(const std::string& arguments) const { return run("nvcc", arguments); }

  private:
    int run(const std::string& program, const std::string& arguments) const {
        const std::string log = path("log");
        const int status = std::system(("\"" + place_ + "/" + program + "\" " + arguments + " > \"" + log + "\" 2>&1").c_str());
        if (status != 0) std::system(("cat \"" + log + "\" >&2").c_str());
        return status;
    }

    std::string place_;
};

} // namespace test

#endif
