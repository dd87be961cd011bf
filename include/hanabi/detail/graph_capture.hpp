// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Capturing a stream into a graph: begun and ended whatever happens between, with what must stay alive as long as the graph.

#ifndef HANABI_DETAIL_GRAPH_CAPTURE_HPP
#define HANABI_DETAIL_GRAPH_CAPTURE_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/capture_scope.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/registry_state.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/driver_error.hpp>
#include <hanabi/error.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace hanabi::detail {

/// A graph that a capture made, and what was given up while it was made: buffers, streams and modules that its nodes may
/// use. All go with it. Move-only.
template <class Void>
struct basic_captured_graph {
    shared<context_state> context;
    driver::graph_handle graph = nullptr;
    keepsakes kept;

    basic_captured_graph() noexcept = default;
    basic_captured_graph(basic_captured_graph&& other) noexcept
        : context{std::move(other.context)}, graph{std::exchange(other.graph, nullptr)}, kept{std::move(other.kept)} {}
    basic_captured_graph& operator=(basic_captured_graph&& other) noexcept {
        std::swap(context, other.context);
        std::swap(graph, other.graph);
        kept = std::move(other.kept);
        return *this;
    }
    ~basic_captured_graph() {
        if (graph == nullptr) return;
        tear_down(*context, "destroying a captured graph", [this] { return context->driver->graph_destroy(graph); });
    }
};

using captured_graph = basic_captured_graph<void>;

/// A capture of one stream, in thread-local mode: calls of other threads neither join nor break it. Used by one thread, on the
/// stack: captures of one thread end in the reverse order. The destructor ends what end() has not, and drops it: also when
/// an exception passes.
template <class Void>
class basic_graph_capture {
  public:
    /// `operation` begins the messages, and must outlive this.
    explicit basic_graph_capture(const char* operation) noexcept : operation_{operation} {}
    basic_graph_capture(const basic_graph_capture&) = delete;
    basic_graph_capture& operator=(const basic_graph_capture&) = delete;
    ~basic_graph_capture() {
        if (!begun_) return;
        captured_graph dropped;
        failure ignored;
        static_cast<void>(end(dropped, ignored));
    }

    /// From here on what the stream is given becomes nodes. False with `f` set: the stream is a legacy default stream
    /// (errc::invalid_argument), captures already, or the driver's own reasons.
    HANABI_COLD bool begin(const shared<context_state>& in, driver::stream_handle stream, failure& f) {
        const driver::table& driver = *in->driver;
        const auto raw = reinterpret_cast<std::uintptr_t>(stream);
        if (raw == 0 || raw == driver::stream_legacy) {
            f = {errc::invalid_argument, std::string{operation_} + ": the legacy default stream can't be captured; take a stream of the "
                                                                   "context's own (context::stream), or make one"};
            return false;
        }
        const current_scope scope{*in};
        driver::status status = scope.status();
        driver::capture_status now = driver::capture_status::none;
        if (status == driver::status::success && driver.stream_is_capturing != nullptr) status = driver.stream_is_capturing(stream, &now);
        if (status == driver::status::success && now != driver::capture_status::none) {
            f = {errc::invalid_argument, std::string{operation_} + ": the stream is being captured already"};
            return false;
        }
        if (status == driver::status::success) status = driver.stream_begin_capture(stream, driver::capture_mode::thread_local_);
        if (status != driver::status::success) {
            f = driver_failure(*in, status, std::string{operation_} + ": beginning the capture");
            return false;
        }
        context_ = in;
        stream_ = stream;
        open_.outer = innermost_capture;
        innermost_capture = &open_;
        begun_ = true;
        return true;
    }

    /// Ends it, and hands the graph over. False with `f` set when there is none: something broke the capture (901), or work
    /// of another stream was not joined (904).
    HANABI_COLD bool end(captured_graph& out, failure& f) {
        begun_ = false;
        innermost_capture = open_.outer;
        keepsakes kept = std::move(open_.kept);
        const current_scope scope{*context_};
        driver::graph_handle graph = nullptr;
        driver::status status = scope.status();
        if (status == driver::status::success) status = context_->driver->stream_end_capture(stream_, &graph);
        if (status == driver::status::success && graph == nullptr) status = driver::status::stream_capture_invalidated;
        if (status != driver::status::success) {
            const char* why = "";
            if (status == driver::status::stream_capture_invalidated)
                why = ": something in it can't be captured (a wait for the device by the host, memory or modules handled past the "
                      "library, work on the legacy default stream)";
            else if (status == driver::status::stream_capture_unjoined)
                why = ": work on another stream was not joined: let the captured stream wait for it";
            f = driver_failure(*context_, status, std::string{operation_} + ": ending the capture" + why);
            return false; // what was kept goes now, outside of the capture
        }
        captured_graph made;
        made.context = context_;
        made.graph = graph;
        made.kept = std::move(kept);
        out = std::move(made);
        return true;
    }

  private:
    const char* operation_;
    shared<context_state> context_;
    driver::stream_handle stream_ = nullptr;
    open_capture open_;
    bool begun_ = false;
};

using graph_capture = basic_graph_capture<void>;

/// The registry of a context whose kernel a function is, as far as kernels were bound; null for others. With it a captured
/// node's module stays loaded, and its name is known. Takes the context's lock.
template <class = void>
shared<registry_state> find_registry(context_state& in, driver::function_handle function, const binding** which = nullptr) {
    shared<registry_state> found;
    const detail::lock held{in.registries_mutex};
    for (registry_state* r = in.registries; r != nullptr && found == nullptr; r = r->next_in_context())
        for (const binding* b = r->newest.acquire(); b != nullptr; b = b->made_before) {
            if (b->function.acquire() != function) continue;
            found = shared<registry_state>::find(r);
            if (found != nullptr && which != nullptr) *which = b;
            break;
        }
    return found;
}

} // namespace hanabi::detail

#endif
