// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// CUPTI's status: every CUptiResult of CUDA 13.0, its name, and what to do about it.

#ifndef HANABI_CUPTI_STATUS_HPP
#define HANABI_CUPTI_STATUS_HPP

#include <hanabi/config.hpp>
#include <hanabi/error.hpp>

#include <string>
#include <system_error>
#include <type_traits>

/// Every status, one line each: X(enumerator, number, "name in <cupti_result.h>", "description"). A newer library may
/// return numbers that are not here.
#define HANABI_CUPTI_STATUSES(X)                                                                                                           \
    X(success, 0, "CUPTI_SUCCESS", "no error")                                                                                             \
    X(invalid_parameter, 1, "CUPTI_ERROR_INVALID_PARAMETER", "an argument is outside what the call accepts")                               \
    X(invalid_device, 2, "CUPTI_ERROR_INVALID_DEVICE", "no such device")                                                                   \
    X(invalid_context, 3, "CUPTI_ERROR_INVALID_CONTEXT", "no valid context")                                                               \
    X(invalid_event_domain_id, 4, "CUPTI_ERROR_INVALID_EVENT_DOMAIN_ID", "no such event domain")                                           \
    X(invalid_event_id, 5, "CUPTI_ERROR_INVALID_EVENT_ID", "no such event")                                                                \
    X(invalid_event_name, 6, "CUPTI_ERROR_INVALID_EVENT_NAME", "no event of that name")                                                    \
    X(invalid_operation, 7, "CUPTI_ERROR_INVALID_OPERATION", "not possible in the present state")                                          \
    X(out_of_memory, 8, "CUPTI_ERROR_OUT_OF_MEMORY", "not enough memory")                                                                  \
    X(hardware, 9, "CUPTI_ERROR_HARDWARE", "the performance hardware reported an error")                                                   \
    X(parameter_size_not_sufficient, 10, "CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT", "the output does not fit where it was to go")        \
    X(api_not_implemented, 11, "CUPTI_ERROR_API_NOT_IMPLEMENTED", "not implemented")                                                       \
    X(max_limit_reached, 12, "CUPTI_ERROR_MAX_LIMIT_REACHED", "the end is reached: of the records, or of what there is room for")          \
    X(not_ready, 13, "CUPTI_ERROR_NOT_READY", "not ready yet")                                                                             \
    X(not_compatible, 14, "CUPTI_ERROR_NOT_COMPATIBLE", "does not go together with the present state")                                     \
    X(not_initialized, 15, "CUPTI_ERROR_NOT_INITIALIZED", "CUPTI could not initialise its connection to the driver")                       \
    X(invalid_metric_id, 16, "CUPTI_ERROR_INVALID_METRIC_ID", "no such metric")                                                            \
    X(invalid_metric_name, 17, "CUPTI_ERROR_INVALID_METRIC_NAME", "no metric of that name")                                                \
    X(queue_empty, 18, "CUPTI_ERROR_QUEUE_EMPTY", "the queue is empty")                                                                    \
    X(invalid_handle, 19, "CUPTI_ERROR_INVALID_HANDLE", "not a valid handle")                                                              \
    X(invalid_stream, 20, "CUPTI_ERROR_INVALID_STREAM", "no such stream")                                                                  \
    X(invalid_kind, 21, "CUPTI_ERROR_INVALID_KIND", "no such kind of activity")                                                            \
    X(invalid_event_value, 22, "CUPTI_ERROR_INVALID_EVENT_VALUE", "not a valid value of an event")                                         \
    X(disabled, 23, "CUPTI_ERROR_DISABLED", "CUPTI was disabled, by another client that works exclusively")                                \
    X(invalid_module, 24, "CUPTI_ERROR_INVALID_MODULE", "no such module")                                                                  \
    X(invalid_metric_value, 25, "CUPTI_ERROR_INVALID_METRIC_VALUE", "not a valid value of a metric")                                       \
    X(hardware_busy, 26, "CUPTI_ERROR_HARDWARE_BUSY", "another client has the performance hardware")                                       \
    X(not_supported, 27, "CUPTI_ERROR_NOT_SUPPORTED", "not supported by this system or device")                                            \
    X(um_profiling_not_supported, 28, "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED", "no profiling of unified memory on this system")           \
    X(um_profiling_not_supported_on_device, 29, "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_DEVICE",                                        \
      "no profiling of unified memory on this device")                                                                                     \
    X(um_profiling_not_supported_on_non_p2p_devices, 30, "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_ON_NON_P2P_DEVICES",                      \
      "no profiling of unified memory on devices that do not reach each other's memory")                                                   \
    X(um_profiling_not_supported_with_mps, 31, "CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED_WITH_MPS",                                          \
      "no profiling of unified memory under MPS")                                                                                          \
    X(cdp_tracing_not_supported, 32, "CUPTI_ERROR_CDP_TRACING_NOT_SUPPORTED", "kernels launched by kernels can't be traced")               \
    X(virtualized_device_not_supported, 33, "CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED", "not supported on a virtualised device")       \
    X(cuda_compiler_not_compatible, 34, "CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE", "the code was made by an incompatible compiler")       \
    X(insufficient_privileges, 35, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "this user may not use the device's performance counters")       \
    X(old_profiler_api_initialized, 36, "CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED", "an older profiling interface is in use")              \
    X(openacc_undefined_routine, 37, "CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE", "the OpenACC runtime lacks a routine")                       \
    X(legacy_profiler_not_supported, 38, "CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED", "not supported by the legacy interface")             \
    X(multiple_subscribers_not_supported, 39, "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED", "another client has CUPTI")                \
    X(virtualized_device_insufficient_privileges, 40, "CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES",                            \
      "the virtualised device does not permit profiling")                                                                                  \
    X(confidential_computing_not_supported, 41, "CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED",                                        \
      "not supported under confidential computing")                                                                                        \
    X(cmp_device_not_supported, 42, "CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED", "not supported on this mining device")                         \
    X(mig_device_not_supported, 43, "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED", "not supported on a MIG device")                               \
    X(sli_device_not_supported, 44, "CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED", "not supported on an SLI device")                              \
    X(wsl_device_not_supported, 45, "CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED", "not supported under WSL")                                     \
    X(invalid_chip_name, 46, "CUPTI_ERROR_INVALID_CHIP_NAME", "no chip of that name")                                                      \
    X(unknown, 999, "CUPTI_ERROR_UNKNOWN", "CUPTI gives no reason")

namespace hanabi::cupti {

/// CUptiResult. Any number the library returns fits, named here or not.
enum class status : unsigned {
#define HANABI_STATUS(enumerator, number, name, description) enumerator = number,
    HANABI_CUPTI_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
};

/// The status' name in <cupti_result.h>, CUPTI_UNKNOWN for a number without one. Never null; static storage.
constexpr const char* name_of(status s) noexcept {
    switch (s) {
#define HANABI_STATUS(enumerator, number, name, description)                                                                               \
    case status::enumerator: return name;
        HANABI_CUPTI_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
    }
    return "CUPTI_UNKNOWN";
}

/// The status in words, (no message) for a number without any. Never null; static storage.
constexpr const char* description_of(status s) noexcept {
    switch (s) {
#define HANABI_STATUS(enumerator, number, name, description)                                                                               \
    case status::enumerator: return description;
        HANABI_CUPTI_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
    }
    return "(no message)";
}

/// What to do about a status, one sentence with no full stop; "" where there is nothing to add.
constexpr const char* advice_for(status s) noexcept {
    switch (s) {
    case status::multiple_subscribers_not_supported:
        return "another profiler or debugger is attached to this process (nsys, ncu, cuda-gdb, compute-sanitizer), or another library in "
               "it uses CUPTI; run without one of the two";
    case status::insufficient_privileges:
    case status::virtualized_device_insufficient_privileges:
        return "let the administrator load the driver's kernel module with NVreg_RestrictProfilingToAdminUsers=0, or run with "
               "CAP_SYS_ADMIN";
    case status::not_initialized:
        return "libcupti is newer than the driver, or the driver could not start: install a newer driver, or point HANABI_LIBCUPTI to "
               "the libcupti of a toolkit no newer than the driver";
    case status::unknown:
        return "most likely there is no CUDA driver, or no device: check that libcuda.so.1 loads and that nvidia-smi lists a device";
    case status::disabled:
    case status::hardware_busy: return "another client works with the performance hardware exclusively; wait until it is done";
    case status::old_profiler_api_initialized:
    case status::not_compatible: return "another profiling interface is in use in this process; use one of the two";
    case status::invalid_kind: return "the loaded libcupti does not know this kind; check its version";
    case status::virtualized_device_not_supported:
    case status::mig_device_not_supported:
    case status::wsl_device_not_supported:
    case status::confidential_computing_not_supported:
    case status::not_supported: return "profile by events or by the host's clock here";
    default: return "";
    }
}

/// `NAME (number): description`.
inline std::string error_text(status s) {
    return std::string{name_of(s)} + " (" + std::to_string(static_cast<unsigned>(s)) + "): " + description_of(s);
}

} // namespace hanabi::cupti

namespace hanabi {

/// Codes that CUPTI returned (cupti::status, CUptiResult).
HANABI_SHARED const std::error_category& cupti_category() noexcept;

namespace cupti {
/// A CUPTI status as an error code; found by argument-dependent look-up.
inline std::error_code make_error_code(status s) noexcept { return {static_cast<int>(s), cupti_category()}; }
/// True for codes of another shared object too: see hanabi/error.hpp.
inline bool operator==(const std::error_code& code, status s) noexcept {
    return code.value() == static_cast<int>(s) &&
           (code.category() == cupti_category() || __builtin_strcmp(code.category().name(), cupti_category().name()) == 0);
}
} // namespace cupti

namespace detail {
class cupti_category_type final : public std::error_category {
  public:
    const char* name() const noexcept override { return "cupti"; }
    std::string message(int value) const override { return cupti::error_text(static_cast<cupti::status>(value)); }
};
} // namespace detail

inline const std::error_category& cupti_category() noexcept {
    static const detail::cupti_category_type instance;
    return instance;
}

} // namespace hanabi

template <>
struct std::is_error_code_enum<hanabi::cupti::status> : std::true_type {};

#endif
