// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The summary sink: a table of kernels, or of call sites, as text and as CSV.

#ifndef HANABI_TRACE_SUMMARY_HPP
#define HANABI_TRACE_SUMMARY_HPP

#include <hanabi/config.hpp>
#include <hanabi/demangle.hpp>
#include <hanabi/profile/launch_text.hpp>
#include <hanabi/profile/row.hpp>
#include <hanabi/trace/quantile_sketch.hpp>
#include <hanabi/trace/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hanabi::trace {

/// What a line of a summary stands for.
enum class group_by { kernel, call_site };

struct summary_options {
    group_by group = group_by::kernel;
    std::size_t max_lines = 4096; ///< further kernels or sites go into one line, "(others)"
};

/// What is known of one kernel, or of one kernel at one call site. Times in ns.
struct summary_line {
    std::string kernel; ///< demangled; with its module where that is known
    std::string site;   ///< file:line; empty in a summary by kernel
    std::uint64_t calls = 0;
    std::uint64_t timed = 0;
    std::uint64_t no_time = 0; ///< accounted for, but without times
    std::uint64_t failed = 0;
    std::uint64_t lost = 0; ///< dropped, incomplete or undelivered
    std::uint64_t total = 0;
    std::uint64_t min = 0, max = 0; ///< of timed ones
    double bytes = 0;               ///< declared, of timed launches
    double operations = 0;
    std::uint64_t bytes_time = 0, operations_time = 0; ///< of the launches that declared them
    const char* source = "none";                       ///< of the times; "mixed"
    quantile_sketch quantiles;

    /// Nothing where no call is timed: not 0, not NaN.
    std::optional<double> mean() const noexcept {
        if (timed == 0) return {};
        return static_cast<double>(total) / static_cast<double>(timed);
    }
    /// To within quantile_sketch::relative_error, and between min and max.
    std::optional<std::uint64_t> quantile(double q) const noexcept {
        if (timed == 0) return {};
        return std::clamp(quantiles.quantile(q), min, max);
    }
    std::optional<std::uint64_t> median() const noexcept { return quantile(0.5); }
    std::optional<std::uint64_t> p99() const noexcept { return quantile(0.99); }
    /// 1e9 bytes a second, where bytes<...> is declared.
    std::optional<double> gigabytes_per_second() const noexcept {
        if (bytes_time == 0) return {};
        return bytes / static_cast<double>(bytes_time);
    }
    /// 1e9 operations a second, where operations<...> is declared.
    std::optional<double> gigaflops() const noexcept {
        if (operations_time == 0) return {};
        return operations / static_cast<double>(operations_time);
    }
};

/// Sums rows up. Memory grows with the number of kernels or sites, never with that of rows. One thread at a time, as a
/// ledger calls it.
///
///     hanabi::trace::summary summary;
///     ledger.attach(summary);
///     ...
///     ledger.finish(session);
///     std::cout << summary;
class summary {
  public:
    explicit summary(summary_options options = {}) : options_{options} { table_.resize(64, nullptr); }
    summary(const summary&) = delete;
    summary& operator=(const summary&) = delete;

    /// A row of a ledger; what is no kernel is passed over.
    void take(const profile::row& r) {
        if (!r.is_kernel()) return;
        slot_key k{r.launch == nullptr ? nullptr : static_cast<const void*>(r.launch->kernel), r.name, nullptr, 0};
        if (options_.group == group_by::call_site && r.launch != nullptr) {
            k.file = r.launch->site().file_name();
            k.number = r.launch->site().line();
        }
        line& l = find(k, r.launch);
        count(l, r.result, r.start, r.end, r.source);
        if (r.launch == nullptr || !r.timed()) return;
        const contract_set& c = *r.launch->kernel->contracts;
        if (c.bytes.factor != 0)
            if (const double work = profile::work_of(*r.launch, c.bytes); work > 0) {
                l.bytes += work;
                l.bytes_time += r.duration_ns();
            }
        if (c.operations.factor != 0)
            if (const double work = profile::work_of(*r.launch, c.operations); work > 0) {
                l.operations += work;
                l.operations_time += r.duration_ns();
            }
    }
    /// A bare record of a session that is read without a ledger.
    void take(const activity_record& r) {
        if (!r.is_kernel()) return;
        line& l = find({nullptr, r.name == nullptr ? std::string_view{} : std::string_view{r.name}, nullptr, 0}, nullptr);
        if (r.timed()) [[likely]]
            count(l, profile::outcome::matched, r.start, r.end, "activity");
        else
            count(l, r.unfinished() ? profile::outcome::incomplete : profile::outcome::without_time, 0, 0, "none");
    }
    /// A ledger's account, told below the table.
    void finish(const profile::account& account) { account_ = account; }

    /// The lines, the longest total first.
    std::vector<const summary_line*> lines() const {
        std::vector<const summary_line*> all;
        for (const line& l : lines_) all.push_back(&l);
        std::sort(all.begin(), all.end(), [](const summary_line* a, const summary_line* b) {
            return a->total != b->total ? a->total > b->total : static_cast<const line*>(a)->order < static_cast<const line*>(b)->order;
        });
        return all;
    }
    /// Of all lines, ns.
    std::uint64_t total() const noexcept {
        std::uint64_t sum = 0;
        for (const line& l : lines_) sum += l.total;
        return sum;
    }
    /// From when to when there are times; 0 and 0 where there are none.
    std::uint64_t start() const noexcept { return start_; }
    std::uint64_t end() const noexcept { return end_; }

    /// The table for people. Times with units, names without control characters.
    friend std::ostream& operator<<(std::ostream& out, const summary& s) {
        s.print(out);
        return out;
    }

    /// The same for programs: a line of names, then one a line; times in ns, empty where there is none (RFC 4180).
    void csv(std::ostream& out) const {
        out << "kernel,site,calls,timed,no_time,failed,lost,total_ns,mean_ns,min_ns,median_ns,p99_ns,max_ns,gb_per_s,gflop_per_s,share,"
               "source\r\n";
        const auto sum = static_cast<double>(total());
        for (const summary_line* l : lines()) {
            std::string s = csv_text(l->kernel) + ',' + csv_text(l->site);
            for (const std::uint64_t n : {l->calls, l->timed, l->no_time, l->failed, l->lost, l->total}) s += ',' + std::to_string(n);
            s += ',' + number(l->mean(), "%.1f");
            s += ',' + count_text(l->timed, l->min) + ',' + count_text(l->timed, l->median().value_or(0)) + ',' +
                 count_text(l->timed, l->p99().value_or(0)) + ',' + count_text(l->timed, l->max);
            s += ',' + number(l->gigabytes_per_second(), "%.3f") + ',' + number(l->gigaflops(), "%.3f");
            s += ',' + (sum > 0 ? number(static_cast<double>(l->total) / sum, "%.6f") : std::string{});
            out << s << ',' << l->source << "\r\n";
        }
    }

  private:
    struct line : summary_line {
        std::string key;        ///< the kernel's name as the rows have it
        const void* descriptor; ///< of launches; null for others
        const char* file = nullptr;
        std::uint_least32_t number = 0;
        std::size_t order = 0; ///< of coming
    };
    struct slot_key {
        const void* descriptor; ///< of launches; null for others
        std::string_view name;
        const char* file;
        std::uint_least32_t number;
    };

    HANABI_INLINE void count(line& l, profile::outcome result, std::uint64_t start, std::uint64_t end, const char* source) {
        ++l.calls;
        if (result != profile::outcome::matched) [[unlikely]] {
            if (result != profile::outcome::empty)
                ++(result == profile::outcome::without_time ? l.no_time : result == profile::outcome::failed ? l.failed : l.lost);
            return;
        }
        const std::uint64_t took = end > start ? end - start : 0;
        if (l.timed++ == 0) {
            l.min = l.max = took;
            l.source = source;
        } else {
            l.min = took < l.min ? took : l.min;
            l.max = took > l.max ? took : l.max;
            if (l.source != source && std::strcmp(l.source, source) != 0) [[unlikely]]
                l.source = "mixed";
        }
        l.total += took;
        l.quantiles.add(took);
        if (start < start_ || start_ == 0) start_ = start;
        if (end > end_) end_ = end;
    }

    static std::size_t hash(const slot_key& k) noexcept {
        auto h = reinterpret_cast<std::uintptr_t>(k.descriptor != nullptr ? k.descriptor : k.name.data());
        h ^= reinterpret_cast<std::uintptr_t>(k.file) * 31 + k.number;
        return static_cast<std::size_t>((h * 0x9E3779B97F4A7C15u) >> 20);
    }
    /// A name that is no descriptor's may have moved, or another may stand where it was: contents count.
    static bool is(const line& l, const slot_key& k) noexcept {
        return l.descriptor == k.descriptor && l.number == k.number &&
               (l.file == k.file || (l.file != nullptr && k.file != nullptr && std::strcmp(l.file, k.file) == 0)) &&
               (k.descriptor != nullptr || l.key == k.name);
    }

    HANABI_INLINE line& find(const slot_key& k, const profile::launch_entry* launch) {
        const std::size_t mask = table_.size() - 1;
        std::size_t i = hash(k) & mask;
        for (std::size_t steps = 0; steps < 8 && table_[i] != nullptr; ++steps, i = (i + 1) & mask)
            if (is(*table_[i], k)) [[likely]]
                return *table_[i];
        line& l = look_up(k, launch);
        table_[i & (table_.size() - 1)] = &l; // what stood there is found by its content, if it comes again
        return l;
    }
    HANABI_COLD line& look_up(const slot_key& k, const profile::launch_entry* launch) {
        for (line& l : lines_)
            if (is(l, k)) return l;
        if (lines_.size() >= options_.max_lines) {
            if (others_ == nullptr) {
                lines_.emplace_back();
                others_ = &lines_.back();
                others_->kernel = others_->key = "(others)";
                others_->descriptor = others_;
            }
            return *others_;
        }
        lines_.emplace_back();
        line& l = lines_.back();
        l.order = lines_.size();
        l.key = k.name;
        l.descriptor = k.descriptor;
        l.file = k.file;
        l.number = k.number;
        l.kernel = k.name.empty() ? std::string{"(unnamed)"} : demangle(l.key.c_str());
        if (launch != nullptr) {
            l.kernel = std::string{launch->kernel->module.data(), launch->kernel->module.size()} + "::" + l.kernel;
            if (options_.group == group_by::call_site) l.site = profile::site_text(*launch);
        }
        if (lines_.size() * 4 > table_.size() && table_.size() < 65536) {
            table_.assign(table_.size() * 2, nullptr); // the lines come back into it as they are met
        }
        return l;
    }

    static std::string number(const std::optional<double>& value, const char* format) {
        if (!value) return {};
        char text[64];
        std::snprintf(text, sizeof text, format, *value);
        return text;
    }
    static std::string count_text(std::uint64_t timed, std::uint64_t value) { return timed == 0 ? std::string{} : std::to_string(value); }

    void print(std::ostream& out) const {
        const bool sites = options_.group == group_by::call_site;
        std::vector<std::vector<std::string>> table;
        table.push_back({sites ? "kernel and call site" : "kernel", "calls", "total", "mean", "min", "median", "p99", "max", "GB/s",
                         "GFLOP/s", "share", "source"});
        const auto sum = static_cast<double>(total());
        const auto time = [](std::uint64_t timed, double ns) { return timed == 0 ? std::string{"-"} : duration_text(ns); };
        for (const summary_line* l : lines()) {
            const auto rate = [](const std::optional<double>& v) { return v ? number(v, *v < 100 ? "%.1f" : "%.0f") : std::string{"-"}; };
            const auto at = [&](std::uint64_t ns) { return time(l->timed, static_cast<double>(ns)); };
            std::string name = plain_text(l->kernel, 60);
            if (sites && !l->site.empty()) name += " at " + plain_text(l->site, 60);
            table.push_back({name, std::to_string(l->calls), at(l->total), time(l->timed, l->mean().value_or(0)), at(l->min),
                             at(l->median().value_or(0)), at(l->p99().value_or(0)), at(l->max), rate(l->gigabytes_per_second()),
                             rate(l->gigaflops()), sum > 0 ? number(100 * static_cast<double>(l->total) / sum, "%.1f%%") : "-", l->source});
        }
        std::vector<std::size_t> widths(table[0].size());
        for (const auto& cells : table)
            for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
        for (const auto& cells : table) {
            std::string text;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string gap(widths[i] - cells[i].size(), ' ');
                const bool left = i == 0 || i + 1 == cells.size();
                text += (i == 0 ? "" : "  ") + (left ? cells[i] + (i == 0 ? gap : "") : gap + cells[i]);
            }
            out << text << '\n';
        }
        print_notes(out);
    }
    void print_notes(std::ostream& out) const {
        std::uint64_t no_time = 0, failed = 0, lost = 0;
        for (const line& l : lines_) {
            no_time += l.no_time;
            failed += l.failed;
            lost += l.lost;
        }
        if (account_) {
            const profile::account& a = *account_;
            out << a.launches << " launches: " << a.matched << " matched";
            const auto say = [&](std::uint64_t n, const char* what) {
                if (n != 0) out << ", " << n << ' ' << what;
            };
            say(a.without_time, "without time");
            say(a.failed, "failed");
            say(a.dropped, "dropped");
            say(a.incomplete, "incomplete");
            say(a.undelivered, "undelivered");
            say(a.empty, "of nothing");
            say(a.mismatched, "executed otherwise than requested");
            if (a.others != 0) out << "; " << a.others << " other kernels";
            out << '\n';
            if (!a.drops_known) out << "How many records were dropped is unknown: " << a.drops_why.message() << '\n';
            if (a.drops_known && a.drops != 0) out << a.drops << " records were dropped\n";
            if (a.unavailable) out << "A session could not record: " << a.unavailable.message() << '\n';
            if (a.never_started && a.dropped + a.undelivered != 0)
                out << "A session was never started: call its start() before the launches\n";
            if (!a.complete()) out << "Totals are incomplete: they are of the matched launches alone\n";
        } else if (no_time + failed + lost != 0)
            out << no_time << " launches without time, " << failed << " failed, " << lost << " lost: totals are incomplete\n";
    }

    summary_options options_;
    std::deque<line> lines_; ///< where they are they stay
    std::vector<line*> table_;
    line* others_ = nullptr;
    std::uint64_t start_ = 0, end_ = 0;
    std::optional<profile::account> account_;
};

} // namespace hanabi::trace

#endif
