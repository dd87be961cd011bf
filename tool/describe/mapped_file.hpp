// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A file's bytes, mapped where the system can: a library of hundreds of megabytes takes no memory of its own.

#ifndef HANABI_TOOL_MAPPED_FILE_HPP
#define HANABI_TOOL_MAPPED_FILE_HPP

#include <cstddef>
#include <span>
#include <string>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#else
#include <fstream>
#include <iterator>
#include <vector>
#endif

namespace tool {

/// The bytes of one file, as long as the object lives. Throws std::system_error with the file's name.
class mapped_file {
  public:
#if defined(__unix__) || defined(__APPLE__)
    explicit mapped_file(const std::string& name) {
        const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) fail(name);
        struct stat about {};
        if (::fstat(file, &about) != 0) fail(name, file);
        if (S_ISDIR(about.st_mode)) {
            errno = EISDIR;
            fail(name, file);
        }
        size_ = static_cast<std::size_t>(about.st_size);
        if (size_ != 0) {
            data_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
            if (data_ == MAP_FAILED) {
                data_ = nullptr;
                fail(name, file);
            }
            ::madvise(data_, size_, MADV_SEQUENTIAL);
        }
        ::close(file);
    }
    ~mapped_file() {
        if (data_ != nullptr) ::munmap(data_, size_);
    }
    std::span<const std::byte> bytes() const noexcept { return {static_cast<const std::byte*>(data_), size_}; }

    /// Says that the bytes before that offset are done with: the system may take the memory that caches them from this
    /// process. They can still be read.
    void done_with(std::size_t offset) noexcept {
        constexpr std::size_t step = std::size_t{16} << 20;
        if (offset < done_ + step) return;
        const std::size_t end = offset / step * step;
        ::madvise(static_cast<char*>(data_) + done_, end - done_, MADV_DONTNEED);
        done_ = end;
    }

  private:
    [[noreturn]] static void fail(const std::string& name, int file = -1) {
        const int code = errno;
        if (file >= 0) ::close(file);
        throw std::system_error{code, std::generic_category(), name};
    }

    void* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t done_ = 0;
#else
    explicit mapped_file(const std::string& name) {
        std::ifstream in{name, std::ios::binary};
        if (!in) throw std::system_error{std::make_error_code(std::errc::no_such_file_or_directory), name};
        content_.assign(std::istreambuf_iterator<char>{in}, {});
    }
    std::span<const std::byte> bytes() const noexcept { return std::as_bytes(std::span{content_.data(), content_.size()}); }
    void done_with(std::size_t) noexcept {}

  private:
    std::vector<char> content_;
#endif

  public:
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
};

} // namespace tool

#endif
