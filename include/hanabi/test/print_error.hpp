// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Printing of what went wrong: statuses, error codes and errors, and the findings of verification.

#ifndef HANABI_TEST_PRINT_ERROR_HPP
#define HANABI_TEST_PRINT_ERROR_HPP

#include <hanabi/driver/error_text.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/error.hpp>
#include <hanabi/test/print_name.hpp>
#include <hanabi/verify.hpp>

#include <cstddef>
#include <ostream>
#include <string>

namespace hanabi::driver {

/// `CUDA_ERROR_OUT_OF_MEMORY (2): not enough memory, ...`.
inline std::ostream& operator<<(std::ostream& out, status s) { return out << error_text(s); }

/// The entry point's name: `cuLaunchKernel`.
inline std::ostream& operator<<(std::ostream& out, entry e) {
    if (static_cast<std::size_t>(e) < entry_count) return out << describe(e).name;
    return out << "entry " << std::to_string(static_cast<unsigned>(e));
}

/// Where the functions come from.
inline std::ostream& operator<<(std::ostream& out, const table& t) { return out << "the driver table of " << t.origin; }

} // namespace hanabi::driver

namespace hanabi {

namespace test::detail {

inline const char* name_of(errc e) noexcept {
    switch (e) {
    case errc::no_driver: return "no_driver";
    case errc::host_driver_not_linked: return "host_driver_not_linked";
    case errc::no_device: return "no_device";
    case errc::ordinal_out_of_range: return "ordinal_out_of_range";
    case errc::entry_missing: return "entry_missing";
    case errc::forked_process: return "forked_process";
    case errc::context_lost: return "context_lost";
    case errc::wrong_context: return "wrong_context";
    case errc::duplicate_module: return "duplicate_module";
    case errc::invalid_image: return "invalid_image";
    case errc::unknown_module: return "unknown_module";
    case errc::unknown_symbol: return "unknown_symbol";
    case errc::invalid_name: return "invalid_name";
    case errc::module_unloaded: return "module_unloaded";
    case errc::signature_mismatch: return "signature_mismatch";
    case errc::invalid_geometry: return "invalid_geometry";
    case errc::contract_violated: return "contract_violated";
    case errc::shared_memory_exceeded: return "shared_memory_exceeded";
    case errc::size_mismatch: return "size_mismatch";
    case errc::value_out_of_range: return "value_out_of_range";
    case errc::invalid_argument: return "invalid_argument";
    case errc::race: return "race";
    case errc::argument_not_bound: return "argument_not_bound";
    case errc::library_not_found: return "library_not_found";
    case errc::symbol_not_found: return "symbol_not_found";
    case errc::callbacks_not_registered: return "callbacks_not_registered";
    case errc::buffer_full: return "buffer_full";
    case errc::unknown_layout: return "unknown_layout";
    case errc::inside_callback: return "inside_callback";
    case errc::session_active: return "session_active";
    }
    return "errc";
}

} // namespace test::detail

/// `unknown_symbol (12): no such symbol`. Its std::error_code prints as `hanabi:12`.
inline std::ostream& operator<<(std::ostream& out, errc e) {
    return out << test::detail::name_of(e) << " (" << std::to_string(static_cast<int>(e)) << "): " << make_error_code(e).message();
}

/// What it says.
inline std::ostream& operator<<(std::ostream& out, const error& e) { return out << e.what(); }

inline std::ostream& operator<<(std::ostream& out, verdict v) {
    switch (v) {
    case verdict::unproved: return out << "unproved";
    case verdict::proved: return out << "proved";
    case verdict::contradicted: return out << "contradicted";
    }
    return out << "verdict " << std::to_string(static_cast<unsigned>(v));
}

inline std::ostream& operator<<(std::ostream& out, proof p) {
    switch (p) {
    case proof::none: return out << "nothing";
    case proof::driver: return out << "the driver";
    case proof::image: return out << "the image";
    case proof::symbol: return out << "the symbol";
    }
    return out << "proof " << std::to_string(static_cast<unsigned>(p));
}

/// `proved by the driver`, `unproved`.
inline std::ostream& operator<<(std::ostream& out, const finding& f) {
    out << f.what;
    return f.by == proof::none ? out : out << " by " << f.by;
}

/// The contradiction in words.
inline std::ostream& operator<<(std::ostream& out, const fault& f) { return out << f.text; }

/// `blas::axpy: name proved by the driver, arity ..., size ..., classes ..., types ..., contracts ...`, and what is contradicted.
inline std::ostream& operator<<(std::ostream& out, const kernel_report& r) {
    if (r.kernel != nullptr) out << r.kernel->module << "::" << r.kernel->symbol << ": ";
    out << "name " << r.name << ", arity " << r.arity << ", size " << r.size << ", classes " << r.classes << ", types " << r.types
        << ", contracts " << r.contracts;
    for (const fault& f : r.faults) out << "; " << f;
    return out;
}

} // namespace hanabi

#endif
