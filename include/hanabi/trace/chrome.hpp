// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The Chrome sink: a trace as JSON, for Perfetto, chrome://tracing and HolisticTraceAnalysis.

#ifndef HANABI_TRACE_CHROME_HPP
#define HANABI_TRACE_CHROME_HPP

#include <hanabi/demangle.hpp>
#include <hanabi/error.hpp>
#include <hanabi/profile/launch_text.hpp>
#include <hanabi/profile/row.hpp>
#include <hanabi/trace/device_properties.hpp>
#include <hanabi/trace/text.hpp>
#include <hanabi/trace/track.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

namespace hanabi::trace {

struct chrome_options {
    std::vector<device_properties> devices{}; ///< device_properties::of(context), for what is said of blocks and occupancy
    std::string process = "hanabi";           ///< what the process is called in the trace
    unsigned rank = 0;                        ///< of several processes whose traces are looked at together
    unsigned world_size = 1;                  ///< how many those are
    std::uint64_t base = 0;                   ///< ns that are time 0 of the trace; 0: a second before the first row
    std::size_t metadata_bytes = 16384;       ///< kept free at the top for the names of what comes later
};

/// Writes rows as they come, in the conventions of PyTorch's traces: kernels, copies and fills on a row for each stream of
/// each device, calls of the driver on a row for each thread, and an arrow from each launch to its kernel. Memory does not
/// grow with the number of rows. Names and arguments may hold anything.
///
/// Names of processes and threads come first in a trace, before it is known which there are: room is left at the top and
/// filled by finish(). Where the output can't be gone back in, or the room does not do, they come ahead of what they name.
///
/// Slices of a row must not overlap. Kernels of one stream that did (programmatic launches, a graph's branches) are put on
/// further rows of that stream.
class chrome {
  public:
    /// To a stream, which must outlive the sink.
    explicit chrome(std::ostream& out, chrome_options options = {}) : out_{&out}, options_{std::move(options)} { begin(); }
    explicit chrome(std::ostream&&, chrome_options = {}) = delete; // it would be gone at once
    /// To a file, written anew. Error: errc::invalid_argument when it can't be opened.
    explicit chrome(const std::string& path, chrome_options options = {})
        : file_{std::make_unique<std::ofstream>(path, std::ios::binary)}, out_{file_.get()}, options_{std::move(options)} {
        if (!*file_)
            hanabi::detail::raise(make_error_code(errc::invalid_argument),
                                  "hanabi::trace::chrome: can't write '" + path + "'; does the folder exist, and may you write there?");
        begin();
    }
    chrome(const chrome&) = delete;
    chrome& operator=(const chrome&) = delete;
    /// Ends the trace if finish() has not. What goes wrong in a destructor is not told.
    ~chrome() {
#if defined(__cpp_exceptions)
        try {
            close();
        } catch (...) {
        }
#else
        close();
#endif
    }

    void take(const profile::row& r) {
        if (closed_) return;
        if (r.is_kernel())
            kernel(r);
        else if (r.record != nullptr)
            activity(*r.record);
    }
    /// Ends the trace. Rows after that are passed over.
    void finish(const profile::account& account) {
        if (closed_) return;
        footer_ = ",\n\"hanabi\": {\"launches\": " + std::to_string(account.launches) +
                  ", \"matched\": " + std::to_string(account.matched) + ", \"without_time\": " + std::to_string(account.without_time) +
                  ", \"failed\": " + std::to_string(account.failed) + ", \"dropped\": " + std::to_string(account.dropped) +
                  ", \"incomplete\": " + std::to_string(account.incomplete) + ", \"undelivered\": " + std::to_string(account.undelivered) +
                  ", \"empty\": " + std::to_string(account.empty) + "}";
        close();
    }

    /// Whether everything has been written so far.
    bool good() const noexcept { return out_->good(); }
    /// Slices written.
    std::uint64_t slices() const noexcept { return slices_; }
    /// Rows that a trace has no place for: without time, or of a kind that tools do not know.
    std::uint64_t skipped() const noexcept { return skipped_; }

  private:
    // ---- Rows ------------------------------------------------------------------------------------------------------------------

    void kernel(const profile::row& r) {
        const profile::launch_entry* const e = r.launch;
        const activity_record* const k = r.record;
        const bool timed = r.timed() && (k != nullptr || e == nullptr || e->awaits_events); // by the device's time, or as if it were
        std::uint64_t call_start = 0, call_end = 0;
        if (e != nullptr) {
            call_start = e->host_start;
            call_end = e->host_end;
            if (call_start == 0 && timed && std::strcmp(r.source, "host clock") == 0) { // the record is of the call itself
                call_start = r.start;
                call_end = r.end;
            }
        }
        if (!timed && call_start == 0) {
            ++skipped_;
            return;
        }
        set_base(call_start != 0 ? call_start : r.start);
        const std::uint32_t correlation = k != nullptr ? k->correlation : static_cast<std::uint32_t>(r.launch_id);
        if (e != nullptr && call_start != 0) {
            begin_slice("cuda_driver", "cuLaunchKernel", process_, thread(e->thread), call_start, call_end);
            argument("External id", r.launch_id);
            argument("correlation", correlation);
            argument("kernel", demangle(e->kernel->symbol.data()));
            argument("arguments", profile::arguments_text(*e));
            if (const std::string site = profile::site_text(*e); !site.empty()) argument("site", site);
            if (e->failed()) argument("error", e->error().message());
            if (!r.timed()) argument("time", profile::name_of(r.result));
            end_slice();
            if (timed) arrow("s", process_, e->thread, call_start, correlation);
        }
        if (!timed) return;
        const std::uint32_t device = k != nullptr ? k->device : 0;
        const std::uint64_t stream = stream_number(k, e);
        const std::uint64_t row = stream_row(device, stream, r.start, r.end);
        // e's name is NUL-terminated; a record's is too.
        begin_slice("kernel", r.name.empty() ? std::string{"(unnamed)"} : demangle(r.name.data()), device, row, r.start, r.end);
        argument("External id", r.launch_id);
        if (k != nullptr) {
            if (k->queued != 0) argument("queued", k->queued);
            argument("device", device);
            argument("context", k->context);
        } else
            argument("device", device);
        argument("stream", stream);
        argument("correlation", correlation);
        std::uint64_t grid[3], block[3];
        for (unsigned axis = 0; axis < 3; ++axis) {
            grid[axis] = k != nullptr ? k->grid[axis] : e->grid(axis);
            block[axis] = k != nullptr ? k->block[axis] : e->block(axis);
        }
        const std::uint64_t registers = k != nullptr ? k->registers : 0;
        const std::uint64_t shared = k != nullptr ? std::uint64_t{k->static_shared} + k->dynamic_shared : e->shape.shared;
        argument("registers per thread", registers);
        argument("shared memory", shared);
        const std::uint64_t blocks = grid[0] * grid[1] * grid[2], threads = block[0] * block[1] * block[2];
        for (const device_properties& d : options_.devices)
            if (d.ordinal == static_cast<int>(device) && d.limits.multiprocessors != 0) {
                const double per = static_cast<double>(blocks) / d.limits.multiprocessors;
                const std::uint64_t warps = d.limits.warp_size == 0 ? 0 : (threads + d.limits.warp_size - 1) / d.limits.warp_size;
                argument("blocks per SM", per);
                argument("warps per SM", per * static_cast<double>(warps));
                argument("est. achieved occupancy %", static_cast<std::uint64_t>(d.occupancy(blocks, threads, registers, shared) + 0.5));
                break;
            }
        argument("grid", grid);
        argument("block", block);
        if (k != nullptr && k->graph_id != 0) {
            argument("graph id", k->graph_id);
            argument("graph node id", k->graph_node_id);
        }
        if (r.mismatched != 0) argument("mismatched", r.mismatched);
        argument("time source", r.source);
        end_slice();
        if (e != nullptr && call_start != 0) arrow("f", device, row, r.start, correlation);
    }

    void activity(const activity_record& r) {
        const bool call = r.kind == activity_kind::driver || r.kind == activity_kind::runtime;
        if (!r.timed()) {
            ++skipped_;
            return;
        }
        set_base(r.start);
        switch (r.kind) {
        case activity_kind::memcpy:
        case activity_kind::memcpy2:
            device_slice("gpu_memcpy",
                         std::string{"Memcpy "} + copy_name(r.copy_kind) + " (" + memory_name(r.source_kind) + " -> " +
                             memory_name(r.destination_kind) + ")",
                         r);
            argument("bytes", r.bytes);
            if (r.end > r.start) argument("memory bandwidth (GB/s)", static_cast<double>(r.bytes) / static_cast<double>(r.end - r.start));
            return end_slice();
        case activity_kind::memset:
            device_slice("gpu_memset", std::string{"Memset ("} + memory_name(r.destination_kind) + ")", r);
            argument("bytes", r.bytes);
            return end_slice();
        case activity_kind::synchronization: device_slice("cuda_sync", sync_name(r.type), r); return end_slice();
        case activity_kind::overhead:
            begin_slice("overhead", "overhead of profiling", process_, thread(r.thread), r.start, r.end);
            return end_slice();
        default: break;
        }
        if (!call) {
            ++skipped_;
            return;
        }
        const bool driver_call = r.kind == activity_kind::driver;
        begin_slice(driver_call ? "cuda_driver" : "cuda_runtime", (driver_call ? "driver call " : "runtime call ") + std::to_string(r.cbid),
                    process_, thread(r.thread), r.start, r.end);
        argument("cbid", r.cbid);
        argument("correlation", r.correlation);
        end_slice();
    }
    void device_slice(const char* category, const std::string& name, const activity_record& r) {
        const std::uint64_t stream = stream_number(&r, nullptr);
        begin_slice(category, name, r.device, stream_row(r.device, stream, r.start, r.end), r.start, r.end);
        argument("device", r.device);
        argument("context", r.context);
        argument("stream", stream);
        argument("correlation", r.correlation);
    }

    static const char* copy_name(std::uint32_t kind) noexcept {
        static constexpr const char* names[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
        return kind < 11 ? names[kind] : names[0];
    }
    static const char* memory_name(std::uint32_t kind) noexcept {
        static constexpr const char* names[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                                "Array",   "Managed",  "Device Static", "Managed Static"};
        return kind < 8 ? names[kind] : names[0];
    }
    static const char* sync_name(std::uint32_t type) noexcept {
        static constexpr const char* names[] = {"Unknown Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
        return type < 5 ? names[type] : names[0];
    }

    // ---- Streams and threads, named as they are met ------------------------------------------------------------------------------

    /// Never 0, which tools take for no stream: the legacy default stream is 7, as CUPTI numbers it.
    std::uint64_t stream_number(const activity_record* r, const profile::launch_entry* e) {
        if (r != nullptr && (e == nullptr || r->registers != 0 || r->context != 0)) return r->stream == 0 ? 7 : r->stream;
        if (e == nullptr || e->stream == nullptr) return 7;
        if (streams_.size() >= 4096) streams_.clear(); // numbers go on: constant memory whatever a program does
        const auto [place, is_new] = streams_.try_emplace(e->stream, 0);
        if (is_new) place->second = 13 + next_stream_++;
        return place->second;
    }
    std::uint64_t stream_row(std::uint32_t device, std::uint64_t stream, std::uint64_t start, std::uint64_t end) {
        if (tracks_.size() >= 4096) tracks_.clear();
        const std::size_t beside = tracks_[{device, stream}].place(start, end);
        const std::uint64_t row = stream + 1'000'000 * beside;
        name_process(device, "GPU " + std::to_string(device));
        std::string name = "stream " + std::to_string(stream);
        if (beside != 0) name += " (overlapping, " + std::to_string(beside) + ")";
        name_thread(device, row, name);
        return row;
    }
    std::uint64_t thread(std::uint32_t number) {
        name_process(process_, options_.process);
        name_thread(process_, number, "thread " + std::to_string(number));
        return number;
    }
    void name_process(std::uint64_t pid, const std::string& name) {
        if (!named(pid, ~std::uint64_t{0})) return;
        std::string labels = pid == process_ ? "CPU" : "GPU " + std::to_string(pid);
        metadata("process_name", pid, 0, "name", name);
        metadata("process_labels", pid, 0, "labels", labels);
        metadata("process_sort_index", pid, 0, "sort_index", pid == process_ ? std::uint64_t{0} : 5'000'000 + pid);
    }
    void name_thread(std::uint64_t pid, std::uint64_t tid, const std::string& name) {
        if (!named(pid, tid)) return;
        metadata("thread_name", pid, tid, "name", name);
        metadata("thread_sort_index", pid, tid, "sort_index", tid);
    }
    /// True the first time.
    bool named(std::uint64_t pid, std::uint64_t tid) {
        if (named_.size() >= 16384) return false;
        return named_.insert({pid, tid}).second;
    }
    template <class V>
    void metadata(const char* what, std::uint64_t pid, std::uint64_t tid, const char* key, const V& value) {
        std::string event = "{\"ph\": \"M\", \"ts\": 0.000, \"name\": \"";
        event += what;
        event += "\", \"pid\": " + std::to_string(pid) + ", \"tid\": " + std::to_string(tid) + ", \"args\": {\"";
        event += key;
        event += "\": ";
        if constexpr (std::is_arithmetic_v<V>)
            event += std::to_string(value);
        else
            append_json(event, value);
        event += "}}";
        if (room_at_ >= 0 && names_.size() + event.size() + 3 <= options_.metadata_bytes)
            names_ += event + ",\n";
        else {
            separate();
            buffer_ += event;
        }
    }

    // ---- JSON ----------------------------------------------------------------------------------------------------------------------

    void begin() {
#if defined(_WIN32)
        process_ = static_cast<std::uint64_t>(::_getpid());
#else
        process_ = static_cast<std::uint64_t>(::getpid());
#endif
    }
    /// Writes what stands ahead of the events, once time 0 is known.
    void set_base(std::uint64_t first) {
        if (open_) return;
        open_ = true;
        constexpr std::uint64_t second = 1'000'000'000;
        base_ = options_.base != 0 ? options_.base : first > second ? first - second : 0;
        buffer_ += "{\n\"schemaVersion\": 1,\n\"deviceProperties\": [";
        for (std::size_t i = 0; i < options_.devices.size(); ++i) {
            const device_properties& d = options_.devices[i];
            buffer_ += i == 0 ? "\n{\"id\": " : ",\n{\"id\": ";
            buffer_ += std::to_string(d.ordinal) + ", \"name\": ";
            append_json(buffer_, d.name);
            const auto field = [&](const char* name, std::uint64_t value) {
                ((buffer_ += ", \"") += name) += "\": " + std::to_string(value);
            };
            field("totalGlobalMem", d.memory);
            field("computeMajor", static_cast<std::uint64_t>(d.capability.major));
            field("computeMinor", static_cast<std::uint64_t>(d.capability.minor));
            field("maxThreadsPerBlock", d.limits.max_threads_per_block);
            field("maxThreadsPerMultiprocessor", d.limits.max_threads_per_multiprocessor);
            field("regsPerBlock", d.limits.max_registers_per_block);
            field("warpSize", d.limits.warp_size);
            field("sharedMemPerBlock", d.limits.shared_per_block);
            field("numSms", d.limits.multiprocessors);
            field("regsPerMultiprocessor", d.limits.max_registers_per_multiprocessor);
            field("sharedMemPerBlockOptin", d.limits.shared_per_block_optin);
            field("sharedMemPerMultiprocessor", d.limits.shared_per_multiprocessor);
            buffer_ += '}';
        }
        // Tools look for `"rank": N` in the text, with the space.
        buffer_ += "],\n\"distributedInfo\": {\"rank\": " + std::to_string(options_.rank) +
                   ", \"world_size\": " + std::to_string(options_.world_size) + "},\n\"baseTimeNanoseconds\": " + std::to_string(base_) +
                   ",\n\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [\n";
        const auto before = out_->tellp();
        if (before != std::ostream::pos_type(-1) && options_.metadata_bytes != 0) {
            room_at_ = static_cast<std::streamoff>(before) + static_cast<std::streamoff>(buffer_.size());
            for (std::size_t i = 0; i < options_.metadata_bytes; ++i) buffer_ += i % 128 == 127 ? '\n' : ' ';
        }
    }
    void close() {
        if (closed_) return;
        set_base(options_.base);
        closed_ = true;
        if (first_ && !names_.empty()) names_.resize(names_.size() - 2); // no event follows the last comma
        buffer_ += "\n]";
        buffer_ += footer_ + ",\n\"traceName\": ";
        append_json(buffer_, options_.process);
        buffer_ += "\n}\n";
        flush();
        if (room_at_ >= 0 && !names_.empty()) {
            const auto end = out_->tellp();
            out_->seekp(static_cast<std::ostream::pos_type>(room_at_));
            out_->write(names_.data(), static_cast<std::streamsize>(names_.size()));
            out_->seekp(end);
        }
        out_->flush();
    }
    void flush() {
        out_->write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
        buffer_.clear();
    }
    void separate() {
        if (!first_) buffer_ += ",\n";
        first_ = false;
    }
    /// Microseconds with three decimals, relative to time 0.
    void append_time(std::uint64_t ns) {
        char text[40];
        const bool before = ns < base_;
        const std::uint64_t d = before ? base_ - ns : ns - base_;
        std::snprintf(text, sizeof text, "%s%llu.%03u", before ? "-" : "", static_cast<unsigned long long>(d / 1000),
                      static_cast<unsigned>(d % 1000));
        buffer_ += text;
    }
    void begin_slice(const char* category, std::string_view name, std::uint64_t pid, std::uint64_t tid, std::uint64_t start,
                     std::uint64_t end) {
        separate();
        buffer_ += "{\"ph\": \"X\", \"cat\": \"";
        buffer_ += category;
        buffer_ += "\", \"name\": ";
        append_json(buffer_, name);
        buffer_ += ", \"pid\": " + std::to_string(pid) + ", \"tid\": " + std::to_string(tid) + ", \"ts\": ";
        append_time(start);
        buffer_ += ", \"dur\": ";
        append_time(base_ + (end > start ? end - start : 0));
        buffer_ += ", \"args\": {";
        first_argument_ = true;
        ++slices_;
    }
    void key(const char* name) {
        if (!first_argument_) buffer_ += ", ";
        first_argument_ = false;
        ((buffer_ += '"') += name) += "\": ";
    }
    void argument(const char* name, std::string_view value) {
        key(name);
        append_json(buffer_, value);
    }
    void argument(const char* name, const char* value) { argument(name, std::string_view{value}); }
    void argument(const char* name, std::uint64_t value) {
        key(name);
        buffer_ += std::to_string(value);
    }
    void argument(const char* name, std::uint32_t value) { argument(name, std::uint64_t{value}); }
    void argument(const char* name, double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.6g", value);
        key(name);
        buffer_ += text;
    }
    void argument(const char* name, const std::uint64_t (&v)[3]) {
        key(name);
        buffer_ += "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "]";
    }
    void end_slice() {
        buffer_ += "}}";
        if (buffer_.size() > (1u << 16)) flush();
    }
    /// Half an arrow from a call to what it started.
    void arrow(const char* phase, std::uint64_t pid, std::uint64_t tid, std::uint64_t at, std::uint32_t id) {
        separate();
        buffer_ += "{\"ph\": \"";
        buffer_ += phase;
        buffer_ +=
            "\", \"id\": " + std::to_string(id) + ", \"pid\": " + std::to_string(pid) + ", \"tid\": " + std::to_string(tid) + ", \"ts\": ";
        append_time(at);
        buffer_ += ", \"cat\": \"ac2g\", \"name\": \"ac2g\"";
        if (*phase == 'f') buffer_ += ", \"bp\": \"e\"";
        buffer_ += '}';
    }

    std::unique_ptr<std::ofstream> file_;
    std::ostream* out_;
    chrome_options options_;
    std::uint64_t process_ = 0;
    std::uint64_t base_ = 0;
    std::string buffer_;
    std::string names_; ///< metadata for the room at the top
    std::string footer_;
    std::streamoff room_at_ = -1; ///< where that room is; -1 for none
    bool open_ = false, closed_ = false, first_ = true, first_argument_ = true;
    std::uint64_t slices_ = 0, skipped_ = 0;
    std::map<std::pair<std::uint32_t, std::uint64_t>, track> tracks_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> named_;
    std::unordered_map<driver::stream_handle, std::uint64_t> streams_;
    std::uint64_t next_stream_ = 0;
};

} // namespace hanabi::trace

#endif
