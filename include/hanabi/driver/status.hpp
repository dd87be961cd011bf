// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The driver's status: every CUresult of CUDA 13.0, its name, and what it means for whoever gets it. Light: no strings,
/// no driver; hanabi/driver/error_text.hpp makes the messages.

#ifndef HANABI_DRIVER_STATUS_HPP
#define HANABI_DRIVER_STATUS_HPP

/// Every status, one line each: X(enumerator, number, "name in <cuda.h>", "description"). A newer driver may return
/// numbers that are not here: driver::status holds them all the same, and they have no name.
#define HANABI_DRIVER_STATUSES(X)                                                                                                          \
    X(success, 0, "CUDA_SUCCESS", "no error")                                                                                              \
    X(invalid_value, 1, "CUDA_ERROR_INVALID_VALUE", "an argument is outside what the call accepts")                                        \
    X(out_of_memory, 2, "CUDA_ERROR_OUT_OF_MEMORY", "not enough memory, or another resource ran out")                                      \
    X(not_initialized, 3, "CUDA_ERROR_NOT_INITIALIZED", "cuInit has not been called, or did not succeed")                                  \
    X(deinitialized, 4, "CUDA_ERROR_DEINITIALIZED", "the driver is shutting down")                                                         \
    X(profiler_disabled, 5, "CUDA_ERROR_PROFILER_DISABLED", "no profiling in this run, perhaps because an external profiler is attached")  \
    X(profiler_not_initialized, 6, "CUDA_ERROR_PROFILER_NOT_INITIALIZED", "profiler not initialised (no longer returned)")                 \
    X(profiler_already_started, 7, "CUDA_ERROR_PROFILER_ALREADY_STARTED", "profiler already running (no longer returned)")                 \
    X(profiler_already_stopped, 8, "CUDA_ERROR_PROFILER_ALREADY_STOPPED", "profiler already stopped (no longer returned)")                 \
    X(stub_library, 34, "CUDA_ERROR_STUB_LIBRARY", "the library loaded is the toolkit's link-time stub, not a driver")                     \
    X(call_requires_newer_driver, 36, "CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER", "the installed driver is too old for this call")            \
    X(device_unavailable, 46, "CUDA_ERROR_DEVICE_UNAVAILABLE",                                                                             \
      "the device is busy or closed to this process, for example by its compute mode")                                                     \
    X(no_device, 100, "CUDA_ERROR_NO_DEVICE", "the driver sees no CUDA device")                                                            \
    X(invalid_device, 101, "CUDA_ERROR_INVALID_DEVICE", "no such device, or the device can't do what was asked")                           \
    X(device_not_licensed, 102, "CUDA_ERROR_DEVICE_NOT_LICENSED", "the device's licence has not been applied")                             \
    X(invalid_image, 200, "CUDA_ERROR_INVALID_IMAGE", "the bytes are no device code the driver recognises")                                \
    X(invalid_context, 201, "CUDA_ERROR_INVALID_CONTEXT", "no context is current to this thread, or the context is not valid")             \
    X(context_already_current, 202, "CUDA_ERROR_CONTEXT_ALREADY_CURRENT", "the context is current already (no longer returned)")           \
    X(map_failed, 205, "CUDA_ERROR_MAP_FAILED", "a resource could not be mapped or registered")                                            \
    X(unmap_failed, 206, "CUDA_ERROR_UNMAP_FAILED", "a resource could not be unmapped or unregistered")                                    \
    X(array_is_mapped, 207, "CUDA_ERROR_ARRAY_IS_MAPPED", "the array is mapped and can't be destroyed now")                                \
    X(already_mapped, 208, "CUDA_ERROR_ALREADY_MAPPED", "the resource is mapped already")                                                  \
    X(no_binary_for_gpu, 209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "the image holds no code that fits this device")                             \
    X(already_acquired, 210, "CUDA_ERROR_ALREADY_ACQUIRED", "the resource is acquired already")                                            \
    X(not_mapped, 211, "CUDA_ERROR_NOT_MAPPED", "the resource is not mapped")                                                              \
    X(not_mapped_as_array, 212, "CUDA_ERROR_NOT_MAPPED_AS_ARRAY", "the resource is not mapped for use as an array")                        \
    X(not_mapped_as_pointer, 213, "CUDA_ERROR_NOT_MAPPED_AS_POINTER", "the resource is not mapped for use through a pointer")              \
    X(ecc_uncorrectable, 214, "CUDA_ERROR_ECC_UNCORRECTABLE", "the device met a memory error that ECC could not correct")                  \
    X(unsupported_limit, 215, "CUDA_ERROR_UNSUPPORTED_LIMIT", "the device does not have this limit")                                       \
    X(context_already_in_use, 216, "CUDA_ERROR_CONTEXT_ALREADY_IN_USE",                                                                    \
      "the context belongs to one thread at a time, and another thread has it")                                                            \
    X(peer_access_unsupported, 217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "the devices can't reach each other's memory")                   \
    X(invalid_ptx, 218, "CUDA_ERROR_INVALID_PTX", "the PTX did not compile")                                                               \
    X(invalid_graphics_context, 219, "CUDA_ERROR_INVALID_GRAPHICS_CONTEXT", "something is wrong with the OpenGL or Direct3D context")      \
    X(nvlink_uncorrectable, 220, "CUDA_ERROR_NVLINK_UNCORRECTABLE", "NVLink met an error that it could not correct")                       \
    X(jit_compiler_not_found, 221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "the driver's PTX compiler library is missing")                    \
    X(unsupported_ptx_version, 222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",                                                                  \
      "the PTX is of a newer version than the driver's compiler reads")                                                                    \
    X(jit_compilation_disabled, 223, "CUDA_ERROR_JIT_COMPILATION_DISABLED", "compiling PTX is switched off")                               \
    X(unsupported_exec_affinity, 224, "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY", "the device does not have this kind of execution affinity")  \
    X(unsupported_devside_sync, 225, "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC",                                                                \
      "the PTX calls cudaDeviceSynchronize on the device, which is no longer possible")                                                    \
    X(contained, 226, "CUDA_ERROR_CONTAINED", "the device met a fault and contained it; this process can no longer use CUDA")              \
    X(invalid_source, 300, "CUDA_ERROR_INVALID_SOURCE", "the kernel's source is not valid")                                                \
    X(file_not_found, 301, "CUDA_ERROR_FILE_NOT_FOUND", "no such file")                                                                    \
    X(shared_object_symbol_not_found, 302, "CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND", "a shared object lacks a symbol")                  \
    X(shared_object_init_failed, 303, "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", "a shared object did not initialise")                        \
    X(operating_system, 304, "CUDA_ERROR_OPERATING_SYSTEM", "a call to the operating system failed")                                       \
    X(invalid_handle, 400, "CUDA_ERROR_INVALID_HANDLE", "not a valid handle: destroyed already, or never one")                             \
    X(illegal_state, 401, "CUDA_ERROR_ILLEGAL_STATE", "a resource is in no state for this operation")                                      \
    X(lossy_query, 402, "CUDA_ERROR_LOSSY_QUERY", "the answer would leave out what this version of the call can't express")                \
    X(not_found, 500, "CUDA_ERROR_NOT_FOUND", "no such name")                                                                              \
    X(not_ready, 600, "CUDA_ERROR_NOT_READY", "work submitted earlier is still going on")                                                  \
    X(illegal_address, 700, "CUDA_ERROR_ILLEGAL_ADDRESS",                                                                                  \
      "a kernel read or wrote an address that is not valid; this process can no longer use CUDA")                                          \
    X(launch_out_of_resources, 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",                                                                  \
      "the launch needs more than there is: too many threads for the kernel's registers, or too large an argument block")                  \
    X(launch_timeout, 702, "CUDA_ERROR_LAUNCH_TIMEOUT", "a kernel ran longer than the system allows; this process can no longer use CUDA") \
    X(launch_incompatible_texturing, 703, "CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING",                                                      \
      "the launch uses a texturing mode that does not fit")                                                                                \
    X(peer_access_already_enabled, 704, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is on already")                             \
    X(peer_access_not_enabled, 705, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access is not on")                                         \
    X(primary_context_active, 708, "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE", "the device's primary context is in use already")                  \
    X(context_is_destroyed, 709, "CUDA_ERROR_CONTEXT_IS_DESTROYED",                                                                        \
      "the current context was destroyed, or is a primary context not made yet")                                                           \
    X(assert_, 710, "CUDA_ERROR_ASSERT", "an assertion failed in a kernel; the context and its memory are lost")                           \
    X(too_many_peers, 711, "CUDA_ERROR_TOO_MANY_PEERS", "no hardware left to reach another peer")                                          \
    X(host_memory_already_registered, 712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "the host memory is registered already")           \
    X(host_memory_not_registered, 713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "the host memory is not registered")                       \
    X(hardware_stack_error, 714, "CUDA_ERROR_HARDWARE_STACK_ERROR",                                                                        \
      "a kernel broke or overran its stack; this process can no longer use CUDA")                                                          \
    X(illegal_instruction, 715, "CUDA_ERROR_ILLEGAL_INSTRUCTION",                                                                          \
      "a kernel ran into an instruction that is not valid; this process can no longer use CUDA")                                           \
    X(misaligned_address, 716, "CUDA_ERROR_MISALIGNED_ADDRESS",                                                                            \
      "a kernel used an address that is not aligned; this process can no longer use CUDA")                                                 \
    X(invalid_address_space, 717, "CUDA_ERROR_INVALID_ADDRESS_SPACE",                                                                      \
      "a kernel used an address of the wrong memory space; this process can no longer use CUDA")                                           \
    X(invalid_pc, 718, "CUDA_ERROR_INVALID_PC", "a kernel's program counter left its code; this process can no longer use CUDA")           \
    X(launch_failed, 719, "CUDA_ERROR_LAUNCH_FAILED",                                                                                      \
      "a kernel faulted, often by a wild pointer or beyond its shared memory; this process can no longer use CUDA")                        \
    X(cooperative_launch_too_large, 720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",                                                        \
      "more blocks in a cooperative launch than can be on the device at once")                                                             \
    X(tensor_memory_leak, 721, "CUDA_ERROR_TENSOR_MEMORY_LEAK",                                                                            \
      "a kernel ended with tensor memory not given back; this process can no longer use CUDA")                                             \
    X(not_permitted, 800, "CUDA_ERROR_NOT_PERMITTED", "not permitted")                                                                     \
    X(not_supported, 801, "CUDA_ERROR_NOT_SUPPORTED", "not supported by this system or device")                                            \
    X(system_not_ready, 802, "CUDA_ERROR_SYSTEM_NOT_READY", "the system is not ready for CUDA: a service that it needs is not up")         \
    X(system_driver_mismatch, 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",                                                                    \
      "the driver library and the kernel's driver are of different versions")                                                              \
    X(compat_not_supported_on_device, 804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",                                                    \
      "a forward-compatibility driver library is installed, and a visible device does not take it")                                        \
    X(mps_connection_failed, 805, "CUDA_ERROR_MPS_CONNECTION_FAILED", "MPS: no connection to its daemon or server")                        \
    X(mps_rpc_failure, 806, "CUDA_ERROR_MPS_RPC_FAILURE", "MPS: a call between client and server failed")                                  \
    X(mps_server_not_ready, 807, "CUDA_ERROR_MPS_SERVER_NOT_READY", "MPS: the server takes no new clients now, perhaps while it recovers") \
    X(mps_max_clients_reached, 808, "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", "MPS: no more clients fit")                                      \
    X(mps_max_connections_reached, 809, "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", "MPS: no more device connections fit")                   \
    X(mps_client_terminated, 810, "CUDA_ERROR_MPS_CLIENT_TERMINATED",                                                                      \
      "MPS: the server ended this client; this process can no longer use CUDA")                                                            \
    X(cdp_not_supported, 811, "CUDA_ERROR_CDP_NOT_SUPPORTED",                                                                              \
      "the module launches kernels from kernels, which this configuration does not allow")                                                 \
    X(cdp_version_mismatch, 812, "CUDA_ERROR_CDP_VERSION_MISMATCH",                                                                        \
      "the module mixes versions of kernels launched from kernels that don't go together")                                                 \
    X(stream_capture_unsupported, 900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "not permitted while the stream is being captured")        \
    X(stream_capture_invalidated, 901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "an earlier error spoilt the capture")                     \
    X(stream_capture_merge, 902, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "this would join two captures that are independent")                   \
    X(stream_capture_unmatched, 903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "the capture did not begin in this stream")                    \
    X(stream_capture_unjoined, 904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",                                                                  \
      "the capture forked to a stream that never came back to the first")                                                                  \
    X(stream_capture_isolation, 905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "a dependency would cross the capture's border")               \
    X(stream_capture_implicit, 906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "the legacy default stream would depend on the capture")         \
    X(captured_event, 907, "CUDA_ERROR_CAPTURED_EVENT", "the event was last recorded in a stream under capture")                           \
    X(stream_capture_wrong_thread, 908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "the capture was begun by another thread")               \
    X(timeout, 909, "CUDA_ERROR_TIMEOUT", "the time allowed for waiting is over")                                                          \
    X(graph_exec_update_failure, 910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "the instantiated graph can't be changed in this way")       \
    X(external_device, 911, "CUDA_ERROR_EXTERNAL_DEVICE",                                                                                  \
      "a device outside CUDA reported that its data is not valid; this process can no longer use CUDA")                                    \
    X(invalid_cluster_size, 912, "CUDA_ERROR_INVALID_CLUSTER_SIZE",                                                                        \
      "the launch's cluster is not one that the kernel, the grid or the device allows")                                                    \
    X(function_not_loaded, 913, "CUDA_ERROR_FUNCTION_NOT_LOADED", "the function has not been loaded yet")                                  \
    X(invalid_resource_type, 914, "CUDA_ERROR_INVALID_RESOURCE_TYPE", "a resource of a kind that this operation does not take")            \
    X(invalid_resource_configuration, 915, "CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION",                                                    \
      "resources too small, or of a configuration that does not apply here")                                                               \
    X(key_rotation, 916, "CUDA_ERROR_KEY_ROTATION", "key rotation failed")                                                                 \
    X(unknown, 999, "CUDA_ERROR_UNKNOWN", "the driver gives no reason")

namespace hanabi::driver {

/// CUresult. Any number the driver returns fits, named here or not.
enum class status : unsigned {
#define HANABI_STATUS(enumerator, number, name, description) enumerator = number,
    HANABI_DRIVER_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
};

/// The status' name in <cuda.h>, CUDA_UNKNOWN for a number without one. Never null; static storage.
constexpr const char* name_of(status s) noexcept {
    switch (s) {
#define HANABI_STATUS(enumerator, number, name, description)                                                                               \
    case status::enumerator: return name;
        HANABI_DRIVER_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
    }
    return "CUDA_UNKNOWN";
}

/// The status in words, (no message) for a number without any. Never null; static storage.
constexpr const char* description_of(status s) noexcept {
    switch (s) {
#define HANABI_STATUS(enumerator, number, name, description)                                                                               \
    case status::enumerator: return description;
        HANABI_DRIVER_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
    }
    return "(no message)";
}

/// What a status leaves unusable. Everything smaller than what it names is lost as well.
enum class damage {
    none,    ///< the call failed, everything else works on
    context, ///< the context and all its memory are lost (a failed device assertion)
    process  ///< every further CUDA call answers the same: only a new process helps
};

/// What is left unusable after this status. The process: 700, 702, 714 to 719, and by <cuda.h>'s comments on them also
/// 226, 721, 810 and 911. The context: 710.
constexpr damage damage_of(status s) noexcept {
    switch (s) {
    case status::illegal_address:
    case status::launch_timeout:
    case status::hardware_stack_error:
    case status::illegal_instruction:
    case status::misaligned_address:
    case status::invalid_address_space:
    case status::invalid_pc:
    case status::launch_failed:
    case status::tensor_memory_leak:
    case status::contained:
    case status::mps_client_terminated:
    case status::external_device: return damage::process;
    case status::assert_: return damage::context;
    default: return damage::none;
    }
}

/// True if an earlier launch broke something for good, so that this status says nothing about the call that returned it.
constexpr bool is_sticky(status s) noexcept { return damage_of(s) != damage::none; }

/// True if the driver, or the context, had already gone: nothing to free and no failure, when it comes from a destructor.
constexpr bool is_teardown(status s) noexcept {
    return s == status::deinitialized || s == status::invalid_context || s == status::context_is_destroyed;
}

/// What to do about a status, one sentence with no full stop; "" where there is nothing to add to its description. Static storage.
constexpr const char* advice_for(status s) noexcept {
    switch (damage_of(s)) {
    case damage::process: return "an earlier launch failed; CUDA is unusable until this process is restarted";
    case damage::context: return "an earlier launch failed an assertion; destroy the context and make a new one";
    case damage::none: break;
    }
    switch (s) {
    case status::stub_library:
        return "take the toolkit's lib64/stubs directory out of the library path, so that the driver's own libcuda is found";
    case status::no_device:
        return "check that a device is installed, that CUDA_VISIBLE_DEVICES does not hide it and that this process may open /dev/nvidia*";
    case status::not_initialized:
        return "the driver is there and was not initialised: check that its kernel module is loaded, and that CUDA was not used before "
               "fork()";
    case status::invalid_image:
        return "the bytes are neither PTX, cubin nor fatbin, or are damaged: check what was read, and that it was read whole";
    case status::no_binary_for_gpu: return "build the image for this device's compute capability, or ship PTX with it";
    case status::invalid_ptx: return "the compiler's log says where; check the PTX with ptxas for the same target";
    case status::jit_compiler_not_found:
        return "the driver's installation is incomplete (libnvidia-ptxjitcompiler): mend it, or ship binaries for this device";
    case status::unsupported_ptx_version: return "update the driver, build with an older toolkit, or ship binaries for this device";
    case status::jit_compilation_disabled: return "unset CUDA_DISABLE_PTX_JIT, or ship binaries for this device";
    case status::unsupported_devside_sync:
        return "take cudaDeviceSynchronize out of the device code: compute capability 9.0 and above have none";
    case status::system_not_ready: return "check that the services this machine needs (the fabric manager, for one) are running";
    case status::system_driver_mismatch:
        return "the driver was updated and its old kernel module is still loaded (restart the machine), or a container brings its own "
               "libcuda";
    case status::compat_not_supported_on_device:
        return "take the forward-compatibility libcuda (cuda-compat) out of the library path, or hide the device with CUDA_VISIBLE_DEVICES";
    case status::stream_capture_unsupported:
        return "a stream is being captured, and this can't be: do it before the capture begins (registry::warm does for kernels)";
    default: return "";
    }
}

} // namespace hanabi::driver

#endif
