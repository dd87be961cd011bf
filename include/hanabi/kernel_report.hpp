// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Reports: what is proved of a descriptor by a kernel's binary, what is contradicted, and by whom.

#ifndef HANABI_KERNEL_REPORT_HPP
#define HANABI_KERNEL_REPORT_HPP

#include <hanabi/descriptor.hpp>
#include <hanabi/error.hpp>
#include <hanabi/signature.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hanabi {

/// How a claim of a descriptor stands.
enum class verdict : unsigned char {
    unproved, ///< nothing at hand says; passes
    proved,
    contradicted ///< an error at require, and at the first launch
};

/// Where a verdict comes from.
enum class proof : unsigned char {
    none,   ///< unproved; or proved because nothing was claimed
    driver, ///< the driver's parameter query (cuFuncGetParamInfo, CUDA 12.4), its attributes, or its look-up
    image,  ///< the image's text or metadata
    symbol  ///< the C++ name that the linker knows, which spells the parameters
};

/// One claim's verdict.
struct finding {
    verdict what = verdict::unproved;
    proof by = proof::none;

    friend constexpr bool operator==(const finding&, const finding&) = default;
};

/// One contradiction, in words and numbers.
struct fault {
    errc code = errc::signature_mismatch;
    std::size_t parameter = 0; ///< 1-based; 0 for the kernel as a whole
    std::string text;          ///< without the kernel's name
};

/// What was found out about one declared parameter.
struct parameter_report {
    std::string name;                             ///< of the names contract, or of the image; empty where neither says
    parameter_kind kind = parameter_kind::object; ///< as declared
    std::uint64_t size = 0;                       ///< as declared, in bytes
    std::uint64_t found_size = 0;                 ///< what the kernel takes, in bytes; 0 where unknown
    std::string found_type;                       ///< as the image writes it: `.u64 .ptr`, `.b8[24]`; empty where unknown
    finding sizes;                                ///< of the declared size
    finding classes;                              ///< floating point, integer, pointer or object as declared
    finding types; ///< exactly of the declared type: pointee, signedness, which structure. C++ names alone tell
};

/// What verification found out about one descriptor. A plain value: it stays good when registry and descriptor have gone,
/// but for `kernel`.
struct kernel_report {
    const descriptor* kernel = nullptr;
    std::string label; ///< module::symbol, with the linker's name that was found where the descriptor has a pattern
    finding name;      ///< the module has a kernel of that symbol
    finding arity;     ///< with that number of parameters
    finding size;      ///< each of the declared size
    finding classes;   ///< each floating point, integer or pointer as declared
    /// Each exactly of the declared type. Proved by C++ names only: of an `extern "C"` kernel nothing tells what its
    /// pointers point to, nor `int` from `unsigned`, nor one structure from another of its size.
    finding types;
    finding contracts;                        ///< what follows the signature: max_threads, required_threads, cluster_size, allows_pdl
    unsigned hidden = 0;                      ///< parameters behind the declared ones that hidden<N> allows and the kernel has
    std::vector<parameter_report> parameters; ///< the declared ones, in order
    std::vector<fault> faults;                ///< every contradiction

    /// Nothing is contradicted. What is unproved passes.
    bool good() const noexcept { return faults.empty(); }
};

/// A verdict in a word.
constexpr const char* name_of(verdict v) noexcept {
    return v == verdict::proved ? "proved" : v == verdict::contradicted ? "contradicted" : "unproved";
}
/// A source of proof in a word.
constexpr const char* name_of(proof p) noexcept {
    return p == proof::driver ? "driver" : p == proof::image ? "image" : p == proof::symbol ? "symbol" : "none";
}

} // namespace hanabi

#endif
