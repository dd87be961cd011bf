// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What goes wrong, and how it is told: error codes of the driver and of the library, and the one exception.

#ifndef HANABI_ERROR_HPP
#define HANABI_ERROR_HPP

#include <hanabi/config.hpp>
#include <hanabi/driver/error_text.hpp>

#if defined(BOOST_NO_EXCEPTIONS) || !defined(__cpp_exceptions)
#include <boost/throw_exception.hpp>
#endif

#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi {

/// What the library itself finds wrong, before or instead of a driver status.
enum class errc {
    no_driver = 1,            ///< no driver library could be loaded, or the one found lacks a required entry
    host_driver_not_linked,   ///< the host driver was asked for in a program that includes <hanabi/host.hpp> nowhere
    no_device,                ///< the driver is there and has no device
    ordinal_out_of_range,     ///< no device of that number
    entry_missing,            ///< the driver is too old for what was asked
    forked_process,           ///< CUDA was used before fork(): no call works in the child
    context_lost,             ///< the context was reset or destroyed behind the library's back
    wrong_context,            ///< a stream, event or buffer of another context
    duplicate_module,         ///< a module name given twice
    invalid_image,            ///< the bytes of a module are no image the driver could load
    unknown_module,           ///< the registry has no module of that name
    unknown_symbol,           ///< the module has no kernel or variable of that name
    invalid_name,             ///< a name with an embedded NUL, or empty
    module_unloaded,          ///< the registry was unloaded
    signature_mismatch,       ///< the descriptor's parameters are not the loaded kernel's
    invalid_geometry,         ///< a grid, block or cluster the device does not take
    contract_violated,        ///< a launch against what the kernel was declared or compiled for
    shared_memory_exceeded,   ///< more shared memory than the device gives one block
    size_mismatch,            ///< the two sides of a copy, or a variable and its declared type, differ in size
    value_out_of_range,       ///< a value that its destination can't hold
    invalid_argument,         ///< anything else a function's documentation rules out
    argument_not_bound,       ///< a plan's open argument that no value was given for
    race,                     ///< of expressions beside each other one writes what another uses
    library_not_found,        ///< libcupti could not be loaded
    symbol_not_found,         ///< the library loaded lacks an entry point that every version has
    callbacks_not_registered, ///< an activity session without its buffer callbacks
    buffer_full,              ///< a strict activity session has no room for the record
    unknown_layout,           ///< records of a layout that this library can't read
    inside_callback,          ///< not to be called from a buffer callback, or from what is run by one
    session_active            ///< another session of this process is recording
};

/// Codes of errc.
HANABI_SHARED const std::error_category& library_category() noexcept;
/// Codes that the driver returned (driver::status, CUresult).
HANABI_SHARED const std::error_category& driver_category() noexcept;

/// errc as an error code; found by argument-dependent look-up.
inline std::error_code make_error_code(errc e) noexcept { return {static_cast<int>(e), library_category()}; }

namespace driver {
/// A driver status as an error code; found by argument-dependent look-up.
inline std::error_code make_error_code(status s) noexcept { return {static_cast<int>(s), driver_category()}; }
} // namespace driver

/// `e.code() == errc::x` and `e.code() == driver::status::x` are true for codes from another shared object too, which may
/// have categories of its own when the program does not export its symbols (-rdynamic). Comparing two codes is not.
inline bool operator==(const std::error_code& code, errc e) noexcept {
    return code.value() == static_cast<int>(e) &&
           (code.category() == library_category() || __builtin_strcmp(code.category().name(), library_category().name()) == 0);
}
namespace driver {
/// \overload
inline bool operator==(const std::error_code& code, status s) noexcept {
    return code.value() == static_cast<int>(s) &&
           (code.category() == driver_category() || __builtin_strcmp(code.category().name(), driver_category().name()) == 0);
}
} // namespace driver

/// The exception of every throwing function. what() is one message: the operation, module::symbol, the numbers expected
/// and found, and what to do; for driver failures it ends in `NAME (number): description`. code() is in
/// driver_category() or library_category().
class HANABI_SHARED error : public std::system_error {
  public:
    error(std::error_code code, const std::string& message) : std::system_error{code}, message_{message} {}
    const char* what() const noexcept override { return message_.what(); }

  private:
    std::runtime_error message_; // a string that copies without throwing, as an exception's members must
};

namespace detail {

/// What failed: the code, and the words for it. Passed up by functions with throwing and non-throwing faces.
struct failure {
    std::error_code code;
    std::string message;
};

/// Throws error; where there are no exceptions, hands it to the program's boost::throw_exception.
[[noreturn]] HANABI_COLD inline void raise(std::error_code code, const std::string& message) {
#if defined(BOOST_NO_EXCEPTIONS) || !defined(__cpp_exceptions)
    boost::throw_exception(error{code, message});
#else
    throw error{code, message};
#endif
}
[[noreturn]] HANABI_COLD inline void raise(const failure& f) { raise(f.code, f.message); }

class library_category_type final : public std::error_category {
  public:
    const char* name() const noexcept override { return "hanabi"; }
    std::string message(int value) const override {
        switch (static_cast<errc>(value)) {
        case errc::no_driver: return "no CUDA driver";
        case errc::host_driver_not_linked: return "the host driver is not part of this program";
        case errc::no_device: return "no CUDA device";
        case errc::ordinal_out_of_range: return "device ordinal out of range";
        case errc::entry_missing: return "the driver lacks an entry point";
        case errc::forked_process: return "CUDA was used before fork";
        case errc::context_lost: return "the context is gone";
        case errc::wrong_context: return "belongs to another context";
        case errc::duplicate_module: return "module name given twice";
        case errc::invalid_image: return "not a loadable image";
        case errc::unknown_module: return "no such module";
        case errc::unknown_symbol: return "no such symbol";
        case errc::invalid_name: return "not a usable name";
        case errc::module_unloaded: return "the module was unloaded";
        case errc::signature_mismatch: return "signature differs from the loaded kernel";
        case errc::invalid_geometry: return "geometry not possible on the device";
        case errc::contract_violated: return "launch breaks the kernel's contract";
        case errc::shared_memory_exceeded: return "too much shared memory";
        case errc::size_mismatch: return "sizes differ";
        case errc::value_out_of_range: return "value out of range";
        case errc::invalid_argument: return "invalid argument";
        case errc::argument_not_bound: return "argument not bound";
        case errc::race: return "a race";
        case errc::library_not_found: return "no CUPTI library";
        case errc::symbol_not_found: return "the library lacks an entry point";
        case errc::callbacks_not_registered: return "no buffer callbacks are registered";
        case errc::buffer_full: return "the buffer is full";
        case errc::unknown_layout: return "records of an unknown layout";
        case errc::inside_callback: return "called from a buffer callback";
        case errc::session_active: return "another session is recording";
        }
        return "unknown error";
    }
};

class driver_category_type final : public std::error_category {
  public:
    const char* name() const noexcept override { return "cuda driver"; }
    std::string message(int value) const override { return driver::error_text(static_cast<driver::status>(value)); }
};

} // namespace detail

inline const std::error_category& library_category() noexcept {
    static const detail::library_category_type instance;
    return instance;
}

inline const std::error_category& driver_category() noexcept {
    static const detail::driver_category_type instance;
    return instance;
}

} // namespace hanabi

template <>
struct std::is_error_code_enum<hanabi::errc> : std::true_type {};
template <>
struct std::is_error_code_enum<hanabi::driver::status> : std::true_type {};

#endif
