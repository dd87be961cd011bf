// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// The Chrome sink: what it writes is JSON by another parser's judgement, and follows the conventions that Perfetto and
// HolisticTraceAnalysis rely on, whatever the names.

#define BOOST_TEST_MODULE trace_json
#include <boost/test/unit_test.hpp>

#include "support/faults.hpp"
#include "support/launching.hpp"

#include <hanabi/activity_session.hpp>
#include <hanabi/profile.hpp>
#include <hanabi/trace.hpp>

#include <boost/json/src.hpp> // the library as a header: Boost.JSON is linked nowhere here

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace hanabi::literals;
using hanabi::activity_kind;
using hanabi::activity_record;
using hanabi::over;
using hanabi::registry;
namespace json = boost::json;
namespace profile = hanabi::profile;
namespace trace = hanabi::trace;

namespace {

activity_record record(activity_kind kind, std::uint64_t start, std::uint64_t end, std::uint32_t stream = 7) {
    activity_record r;
    r.kind = kind;
    r.start = start;
    r.end = end;
    r.context = 1;
    r.stream = stream;
    r.correlation = static_cast<std::uint32_t>(start);
    return r;
}
activity_record kernel(const char* name, std::uint64_t start, std::uint64_t end, std::uint32_t stream = 7) {
    activity_record r = record(activity_kind::concurrent_kernel, start, end, stream);
    r.name = name;
    r.registers = 16;
    r.grid[0] = 4;
    r.grid[1] = r.grid[2] = r.block[1] = r.block[2] = 1;
    r.block[0] = 128;
    return r;
}
void put(trace::chrome& sink, const activity_record& r) {
    profile::row row;
    row.kind = r.kind;
    row.record = &r;
    row.result = r.timed() ? profile::outcome::matched : profile::outcome::without_time;
    if (r.name != nullptr) row.name = r.name;
    row.start = r.start;
    row.end = r.end;
    row.source = "CUPTI";
    sink.take(row);
}

std::uint64_t number(const json::value& v) {
    return v.is_uint64()  ? v.get_uint64()
           : v.is_int64() ? static_cast<std::uint64_t>(v.get_int64())
                          : throw std::runtime_error{"no number"};
}
double real(const json::value& v) { return v.is_double() ? v.get_double() : static_cast<double>(number(v)); }

/// Parses a trace and checks every convention; gives the slices.
std::vector<json::object> slices_of(const std::string& text) {
    json::error_code ec;
    const json::value parsed = json::parse(text, ec);
    BOOST_REQUIRE_MESSAGE(!ec, "no JSON: " << ec.message() << "\n" << text.substr(0, 2000));
    const json::object& top = parsed.as_object();
    BOOST_TEST(number(top.at("schemaVersion")) == 1u);
    BOOST_TEST(top.at("deviceProperties").is_array());
    BOOST_TEST(top.at("displayTimeUnit").as_string() == "ms");
    BOOST_TEST(top.contains("baseTimeNanoseconds"));
    BOOST_TEST(text.find("\"rank\": ") != std::string::npos); // tools look for the text

    std::vector<json::object> slices;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::pair<double, double>>> rows; // of devices
    std::set<std::pair<std::uint64_t, std::uint64_t>> named;
    std::map<std::uint64_t, int> starts, ends;
    bool events = false;
    static const std::set<std::string> device_kinds{"kernel", "gpu_memcpy", "gpu_memset", "cuda_sync"};
    static const std::set<std::string> host_kinds{"cuda_driver", "cuda_runtime", "overhead", "user_annotation"};
    for (const json::value& one : top.at("traceEvents").as_array()) {
        const json::object& e = one.as_object();
        const std::string phase{e.at("ph").as_string()};
        const std::pair<std::uint64_t, std::uint64_t> place{number(e.at("pid")), number(e.at("tid"))};
        if (phase == "M") {
            BOOST_TEST(!events, "metadata behind an event");
            if (e.at("name").as_string() == "thread_name") named.insert(place);
            continue;
        }
        events = true;
        BOOST_TEST(named.count(place) == 1u, "a row without a name");
        const std::string category{e.at("cat").as_string()};
        if (phase == "X") {
            const double start = real(e.at("ts")), length = real(e.at("dur"));
            BOOST_TEST(length >= 0);
            const json::object& args = e.at("args").as_object();
            if (device_kinds.count(category) != 0) {
                BOOST_TEST(number(args.at("stream")) != 0u);
                BOOST_TEST(number(args.at("device")) == place.first);
                rows[place].emplace_back(start, start + length);
            } else {
                BOOST_TEST(host_kinds.count(category) == 1u, category);
                BOOST_TEST(!args.contains("stream"));
            }
            slices.push_back(e);
        } else {
            BOOST_TEST(category == "ac2g");
            BOOST_TEST(e.at("name").as_string() == "ac2g");
            BOOST_TEST((phase == "s" || (phase == "f" && e.at("bp").as_string() == "e")));
            ++(phase == "s" ? starts : ends)[number(e.at("id"))];
            // An arrow's end is on a slice of its row.
            bool on_slice = false;
            for (const auto& s : slices)
                on_slice = on_slice || (number(s.at("pid")) == place.first && number(s.at("tid")) == place.second &&
                                        real(s.at("ts")) == real(e.at("ts")));
            BOOST_TEST(on_slice, "an arrow from or to nowhere");
        }
    }
    BOOST_TEST((starts == ends), "arrows without one of their ends");
    for (auto& [place, all] : rows) {
        std::sort(all.begin(), all.end());
        for (std::size_t i = 1; i < all.size(); ++i)
            BOOST_TEST(all[i].first >= all[i - 1].second - 0.0005, "overlapping slices on one row");
    }
    // Times are microseconds with three decimals, in the text.
    const std::size_t at = text.find("\"ts\": ", text.find("\"ph\": \"X\""));
    if (at != std::string::npos) {
        const std::size_t dot = text.find('.', at);
        BOOST_TEST(text.find_first_not_of("0123456789", dot + 1) == dot + 4);
    }
    return slices;
}

/// Output that can't be gone back in.
struct pipe_buffer : std::stringbuf {
    pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override { return pos_type(off_type(-1)); }
    pos_type seekpos(pos_type, std::ios_base::openmode) override { return pos_type(off_type(-1)); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(launches_kernels_and_arrows, recording) {
    const registry r = load();
    hanabi::activity_session session;
    session.start();
    profile::ledger ledger;
    std::ostringstream out;
    {
        trace::chrome sink{out, {.devices = {trace::device_properties::of(*gpu)}, .process = "a \"test\"", .rank = 3, .world_size = 4}};
        ledger.attach(sink);
        const hanabi::dispatcher run{r, profile::activity{session, ledger}};
        for (int i = 0; i < 20; ++i) run(axpy[over(1000)](2.0f, nullptr, nullptr, i));
        run.on(nullptr)(none[over(1)]());
        std::error_code ec;
        run(none[hanabi::grid(1) | hanabi::block(5000)](), ec);
        const auto account = ledger.finish(session);
        BOOST_TEST(account.matched == 21u);
        BOOST_TEST(sink.good());
        BOOST_TEST(sink.slices() == 42u); // a failed launch has no time here: skipped
        BOOST_TEST(sink.skipped() == 1u);
        sink.finish(account); // again: nothing happens
    }
    const auto slices = slices_of(out.str());
    BOOST_REQUIRE(slices.size() == 42u);
    const json::object& call = slices[0];
    BOOST_TEST(call.at("cat").as_string() == "cuda_driver");
    BOOST_TEST(call.at("name").as_string() == "cuLaunchKernel");
    BOOST_TEST(call.at("args").at("arguments").as_string() == "(alpha=2, x=null, y=null, n=0)");
    BOOST_TEST(std::string{call.at("args").at("site").as_string()}.find("trace_json.cpp:") != std::string::npos);
    const json::object& k = slices[1];
    BOOST_TEST(k.at("cat").as_string() == "kernel");
    BOOST_TEST(k.at("name").as_string() == "axpy");
    const json::object& args = k.at("args").as_object();
    BOOST_TEST(number(args.at("correlation")) == number(call.at("args").at("correlation")));
    BOOST_TEST(number(args.at("External id")) == number(call.at("args").at("External id")));
    BOOST_TEST(number(args.at("grid").as_array()[0]) == 4u);
    BOOST_TEST(number(args.at("block").as_array()[0]) == 256u);
    for (const char* name : {"registers per thread", "shared memory", "blocks per SM", "warps per SM", "est. achieved occupancy %"})
        BOOST_TEST(args.contains(name), name);
    BOOST_TEST(number(slices[41].at("args").at("stream")) == 7u); // the legacy default stream
    BOOST_TEST(number(args.at("stream")) != 7u);
    const json::value top = json::parse(out.str());
    BOOST_TEST(out.str().find("\"rank\": 3") != std::string::npos);
    BOOST_TEST(number(top.at("deviceProperties").as_array()[0].at("numSms")) == gpu->limits().multiprocessors);
    BOOST_TEST(number(top.at("hanabi").at("failed")) == 1u);
}

BOOST_AUTO_TEST_CASE(every_kind_of_record) {
    std::ostringstream out;
    {
        trace::chrome sink{out};
        put(sink, kernel("_ZN2la4scalEfPfi", 5000, 6500));
        activity_record copy = record(activity_kind::memcpy, 7000, 8000);
        copy.copy_kind = 1;
        copy.source_kind = 2;
        copy.destination_kind = 3;
        copy.bytes = 4000;
        put(sink, copy);
        put(sink, record(activity_kind::memset, 8000, 9000));
        activity_record sync = record(activity_kind::synchronization, 9000, 9500);
        sync.type = 3;
        put(sink, sync);
        activity_record call = record(activity_kind::driver, 9000, 9500);
        call.cbid = 307;
        call.thread = 77;
        put(sink, call);
        put(sink, record(activity_kind::runtime, 9600, 9700));
        put(sink, record(activity_kind::overhead, 9800, 9900));
        put(sink, record(activity_kind::marker, 9800, 9900)); // no place
        put(sink, record(activity_kind::memcpy, 0, 0));       // no time
        put(sink, kernel("k", 4000, 4500));                   // before what came first: still relative to one base
        activity_record graph = kernel("k", 10000, 11000, 13);
        graph.graph_id = 3;
        graph.graph_node_id = 12345678901234567u;
        put(sink, graph);
        BOOST_TEST(sink.skipped() == 2u);
    } // ended by the destructor
    const auto slices = slices_of(out.str());
    BOOST_REQUIRE(slices.size() == 9u);
    BOOST_TEST(slices[0].at("name").as_string() == "la::scal(float, float*, int)");
    BOOST_TEST(real(slices[0].at("dur")) == 1.5);
    BOOST_TEST(slices[1].at("name").as_string() == "Memcpy HtoD (Pinned -> Device)");
    BOOST_TEST(real(slices[1].at("args").at("memory bandwidth (GB/s)")) == 4.0);
    BOOST_TEST(slices[3].at("name").as_string() == "Stream Sync");
    BOOST_TEST(number(slices[8].at("args").at("graph node id")) == 12345678901234567u);
    BOOST_TEST(std::abs(real(slices[0].at("ts")) - real(slices[7].at("ts")) - 1.0) < 1e-6);
}

BOOST_AUTO_TEST_CASE(hostile_names) {
    std::ostringstream out;
    const std::string long_name(100000, 'n');
    const char* const names[] = {"\"}]}",
                                 "\\",
                                 "\\u0000",
                                 "line\nfeed\ttab\x01",
                                 "\xff\xfe bad \xc3",
                                 "\xe2\x80\xa8 separator",
                                 "</script>",
                                 "\xf0\x9f\x8e\x86 fireworks",
                                 "\xed\xa0\x80 surrogate",
                                 "_Z",
                                 "_ZN",
                                 "",
                                 long_name.c_str()};
    {
        trace::chrome sink{out, {.process = "\"\\\n\xff"}};
        std::uint64_t at = 1000;
        for (const char* name : names) {
            put(sink, kernel(name, at, at + 500));
            at += 1000;
        }
    }
    const auto slices = slices_of(out.str());
    BOOST_REQUIRE(slices.size() == std::size(names));
    BOOST_TEST(slices[0].at("name").as_string() == "\"}]}");
    BOOST_TEST(slices[1].at("name").as_string() == "\\");
    BOOST_TEST(slices[2].at("name").as_string() == "\\u0000");
    BOOST_TEST(slices[3].at("name").as_string() == "line\nfeed\ttab\x01");
    BOOST_TEST(slices[4].at("name").as_string() == "\xEF\xBF\xBD\xEF\xBF\xBD bad \xEF\xBF\xBD");
    BOOST_TEST(slices[5].at("name").as_string() == "\xe2\x80\xa8 separator");
    BOOST_TEST(slices[7].at("name").as_string() == "\xf0\x9f\x8e\x86 fireworks");
    BOOST_TEST(slices[11].at("name").as_string() == "(unnamed)");
    BOOST_TEST(slices[12].at("name").as_string().size() == long_name.size());
}

BOOST_AUTO_TEST_CASE(overlapping_kernels_get_rows_of_their_own) {
    std::ostringstream out;
    {
        trace::chrome sink{out};
        put(sink, kernel("a", 1000, 3000));
        put(sink, kernel("b", 2000, 4000)); // over a
        put(sink, kernel("c", 2500, 2600)); // over both
        put(sink, kernel("d", 3000, 3500)); // behind a: its row
        put(sink, kernel("e", 500, 600));   // earlier, out of order: fits
        put(sink, kernel("f", 2000, 4000)); // the same times as b
    }
    const auto slices = slices_of(out.str());
    std::map<std::string, std::uint64_t> row;
    for (const auto& s : slices) row[std::string{s.at("name").as_string()}] = number(s.at("tid"));
    BOOST_TEST(row["a"] == 7u);
    BOOST_TEST(row["b"] != 7u);
    BOOST_TEST(row["c"] != 7u);
    BOOST_TEST(row["c"] != row["b"]);
    BOOST_TEST(row["d"] == 7u);
    BOOST_TEST(row["e"] == 7u);
    BOOST_TEST(row["f"] != row["b"]);
}

BOOST_AUTO_TEST_CASE(empty_and_unseekable_and_small_rooms) {
    {
        std::ostringstream out;
        { trace::chrome sink{out}; }
        BOOST_TEST(slices_of(out.str()).empty());
    }
    {
        pipe_buffer pipe; // metadata comes ahead of what it names, then
        std::ostream out{&pipe};
        {
            trace::chrome sink{out};
            put(sink, kernel("a", 1000, 3000));
        }
        BOOST_TEST(slices_of(pipe.str()).size() == 1u);
    }
    {
        std::ostringstream out;
        out << "junk before\n"; // the room is where the sink began
        {
            trace::chrome sink{out, {.metadata_bytes = 600}};
            put(sink, kernel("a", 1000, 3000));
        }
        BOOST_TEST(slices_of(out.str().substr(12)).size() == 1u);
    }
    BOOST_CHECK_THROW(trace::chrome{"/nonexistent/folder/trace.json"}, hanabi::error);
}

BOOST_AUTO_TEST_CASE(a_file_and_a_disk_that_is_full) {
    const auto path = std::filesystem::temp_directory_path() / ("hanabi_trace_" + std::to_string(::getpid()) + ".json");
    {
        trace::chrome sink{path.string()};
        for (std::uint64_t i = 0; i < 5000; ++i) put(sink, kernel("a", 1000 + i * 10, 1005 + i * 10)); // more than one buffer
        BOOST_TEST(sink.good());
    }
    std::ifstream in{path};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    std::filesystem::remove(path);
    json::error_code ec;
    BOOST_TEST(json::parse(text, ec).at("traceEvents").as_array().size() == 5000u + 5u);
    BOOST_TEST(!ec);
    if (std::ofstream full{"/dev/full"}; full) {
        trace::chrome sink{full};
        for (std::uint64_t i = 0; i < 2000; ++i) put(sink, kernel("a", 1000 + i * 10, 1005 + i * 10));
        sink.finish({});
        BOOST_TEST(!sink.good()); // told, not thrown
    }
}
