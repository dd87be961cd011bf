// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The nvtx policy: each launch as a range of NVTX, for Nsight Systems and its like.

#ifndef HANABI_PROFILE_NVTX_HPP
#define HANABI_PROFILE_NVTX_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/launch_view.hpp>
#include <hanabi/text.hpp>

#include <cstddef>
#include <cstdint>
#include <system_error>

// NVTX 3 is a header of the CUDA toolkit. Without it this header may be included, but nvtx not be used.
#if defined(__has_include)
#if __has_include(<nvtx3/nvToolsExt.h>)
#define HANABI_HAS_NVTX 1
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#include <nvtx3/nvToolsExt.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif
#endif

namespace hanabi::profile {

#if defined(HANABI_HAS_NVTX)

/// Opens a range of NVTX around each launch: in a domain of its own, named by the kernel's symbol, with the number Category
/// as its category and as payload the elements (over) or blocks (grid) along x. Takes no space: the domain is a static of the
/// type, made when the first policy of the type is. Without a tool, a launch pays for one look at it.
template <text Domain = "hanabi", std::uint32_t Category = 0>
class nvtx {
  public:
    nvtx() noexcept {
        if (domain().acquire() != nullptr || looked().exchange(true)) return;
        nvtxDomainHandle_t made = nvtxDomainCreateA(Domain.data());
        if (made != nullptr && Category != 0) nvtxDomainNameCategoryA(made, Category, "launch");
        domain().release(made);
    }

    HANABI_INLINE bool before(const launch_view& view) const noexcept {
        const nvtxDomainHandle_t in = domain().acquire();
        if (in == nullptr) [[likely]]
            return false;
        push(in, view);
        return true;
    }
    HANABI_INLINE void after(const launch_view&, bool pushed, const std::error_code&) const noexcept {
        if (pushed) [[unlikely]]
            nvtxDomainRangePop(domain().acquire());
    }

    /// Whether a tool listens.
    static bool active() noexcept { return domain().acquire() != nullptr; }

  private:
    HANABI_COLD static void push(nvtxDomainHandle_t in, const launch_view& view) noexcept {
        nvtxEventAttributes_t a{};
        a.version = NVTX_VERSION;
        a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
        a.category = Category;
        a.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
        a.payload.ullValue = view.shape.extent[0];
        a.messageType = NVTX_MESSAGE_TYPE_ASCII;
        a.message.ascii = view.kernel.symbol.c_str();
        nvtxDomainRangePushEx(in, &a);
    }
    /// One for each type in the process.
    HANABI_SHARED static hanabi::detail::atomic<nvtxDomainHandle_t>& domain() noexcept {
        static constinit hanabi::detail::atomic<nvtxDomainHandle_t> handle{nullptr};
        return handle;
    }
    HANABI_SHARED static hanabi::detail::atomic<bool>& looked() noexcept {
        static constinit hanabi::detail::atomic<bool> done{false};
        return done;
    }
};

#else

/// Without NVTX's header: an error that says what is missing.
template <text Domain = "hanabi", std::uint32_t Category = 0>
class nvtx {
    static_assert(Domain.size() == static_cast<std::size_t>(-1),
                  "hanabi::profile::nvtx needs NVTX 3's header <nvtx3/nvToolsExt.h>: add the CUDA toolkit's include folder, such as "
                  "/usr/local/cuda/include, to the include path");

  public:
    void before(const launch_view&) const noexcept {}
    void after(const launch_view&, const std::error_code&) const noexcept {}
};

#endif

} // namespace hanabi::profile

#endif
