// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// How the registry finds the image readers: by a symbol that a program has when one of its sources includes
/// <hanabi/image.hpp> (or <hanabi/host.hpp>, which does). So the sources that only launch don't compile the readers.

#ifndef HANABI_IMAGE_HOOK_HPP
#define HANABI_IMAGE_HOOK_HPP

#include <hanabi/detail/linked.hpp>
#include <hanabi/image/kind.hpp>
#include <hanabi/image/summary.hpp>

#include <cstddef>
#include <span>

/// image::summarize by its linker's name; null in a program without the readers. Weak on both sides: undefined here,
/// defined by image/kernels.hpp.
#if defined(__GNUC__) && !defined(_WIN32)
extern "C" __attribute__((weak, visibility("default"))) void hanabi_image_summarize(const std::byte* bytes, std::size_t size,
                                                                                    hanabi::image::summary* result);
#endif

namespace hanabi::image {

/// What an image holds, as far as this program can read: without the readers, its kind alone.
template <class Summary = summary>
Summary read(std::span<const std::byte> bytes) {
    Summary s;
#if defined(__GNUC__) && !defined(_WIN32)
    if (hanabi::detail::is_linked(&hanabi_image_summarize)) {
        hanabi_image_summarize(bytes.data(), bytes.size(), &s);
        return s;
    }
#endif
    s.what = classify(bytes);
    s.complete = false;
    return s;
}

} // namespace hanabi::image

#endif
