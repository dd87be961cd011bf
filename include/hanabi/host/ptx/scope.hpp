// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The names that a function's body declares, block by block: registers, parameters of calls, variables, labels.

#ifndef HANABI_HOST_PTX_SCOPE_HPP
#define HANABI_HOST_PTX_SCOPE_HPP

#include <hanabi/host/ptx/program.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

enum class symbol_kind : std::uint8_t { unknown, reg, vector, param, local, shared, kernel_param, variable, function };

/// What a name means.
struct symbol {
    symbol_kind kind = symbol_kind::unknown;
    type of = type::none;
    std::uint32_t where = 0;  ///< offset, or number; of a variable: one more than its number in program::own, or 0
    std::uint32_t size = 0;   ///< bytes; of a vector of registers: how many
    std::uint32_t stride = 0; ///< bytes from one element of an array to the next; 0 for what is no array
};

/// Names of one function. Registers get room when they are first used.
class scopes {
  public:
    void begin() {
        all_.clear();
        all_.emplace_back();
        open_.assign(1, 0);
        bytes_ = 0;
        cells.clear();
        param_top = param_most = 0;
    }
    void open() {
        all_.emplace_back();
        all_.back().param_before = param_top;
        open_.push_back(all_.size() - 1);
    }
    /// False when nothing is open but the function itself.
    bool close() {
        if (open_.size() < 2) return false;
        scope& s = all_[open_.back()];
        param_top = s.param_before;
        open_.pop_back();
        scope& outer = all_[open_.back()];
        for (pending& p : s.waiting) {
            if (const auto found = s.labels.find(p.label); found != s.labels.end())
                resolved_.emplace_back(p.instruction, found->second);
            else
                outer.waiting.push_back(p);
        }
        s.waiting.clear();
        return true;
    }

    void declare_range(std::string_view prefix, std::uint32_t count, type of) {
        range r{prefix, of, size_of(of), {}};
        r.where.assign(count, ~0u);
        current().ranges.push_back(std::move(r));
    }
    void declare(std::string_view name, symbol s) { current().names[name] = s; }
    void declare_register(std::string_view name, type of) { declare(name, {symbol_kind::reg, of, ~0u, size_of(of)}); }

    /// Room for 32 values (a word for a predicate) in the function's registers.
    std::uint32_t place(type of) { return place_bytes(size_of(of)); }
    std::uint32_t place_bytes(unsigned size) {
        if (size == 0) {
            if (predicate_left_ == 0) {
                predicate_at_ = take(64);
                predicate_left_ = 16;
            }
            const std::uint32_t at = predicate_at_ + 4 * (16 - predicate_left_--);
            cells.push_back({at, 0});
            return at;
        }
        const std::uint32_t at = take(size * lanes);
        cells.push_back({at, size});
        return at;
    }
    std::uint32_t bytes() const noexcept { return bytes_; }

    symbol find(std::string_view name) {
        std::size_t digits = name.size();
        std::uint32_t number = 0;
        for (std::uint32_t power = 1; digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9'; power *= 10)
            number += power * static_cast<std::uint32_t>(name[--digits] - '0');
        if (name.size() - digits > 9) number = ~0u; // more than any range has
        const std::string_view prefix = name.substr(0, digits);
        for (std::size_t i = open_.size(); i-- != 0;) {
            scope& s = all_[open_[i]];
            if (digits != name.size())
                for (range& r : s.ranges)
                    if (number < r.where.size() && same(r.prefix, prefix)) {
                        if (r.where[number] == ~0u) r.where[number] = place(r.of);
                        return {symbol_kind::reg, r.of, r.where[number], r.size};
                    }
            if (s.names.empty()) continue;
            if (const auto found = s.names.find(name); found != s.names.end()) {
                if (found->second.kind == symbol_kind::reg && found->second.where == ~0u) found->second.where = place(found->second.of);
                return found->second;
            }
        }
        return {};
    }

    /// False when the block has it already.
    bool label(std::string_view name, std::uint32_t at) { return current().labels.emplace(name, at).second; }
    /// An instruction, or (with the highest bit) an entry of a table, that needs a label's place.
    void want_label(std::string_view name, std::uint32_t instruction, std::uint32_t line) {
        current().waiting.push_back({name, instruction, line});
    }

    struct pending {
        std::string_view label;
        std::uint32_t instruction;
        std::uint32_t line;
    };
    /// At the end of the function: what was found; what was not is returned.
    std::vector<pending> finish(std::vector<std::pair<std::uint32_t, std::uint32_t>>& found) {
        scope& s = all_.front();
        std::vector<pending> lost;
        for (const pending& p : s.waiting) {
            if (const auto at = s.labels.find(p.label); at != s.labels.end())
                resolved_.emplace_back(p.instruction, at->second);
            else
                lost.push_back(p);
        }
        found = std::move(resolved_);
        resolved_.clear();
        predicate_left_ = 0;
        return lost;
    }

    std::vector<function::cell> cells;
    std::uint32_t param_top = 0, param_most = 0; ///< bytes of parameters of a lane

  private:
    struct range {
        std::string_view prefix;
        type of;
        std::uint32_t size;
        std::vector<std::uint32_t> where;
    };
    struct scope {
        std::vector<range> ranges;
        std::unordered_map<std::string_view, symbol> names;
        std::unordered_map<std::string_view, std::uint32_t> labels;
        std::vector<pending> waiting;
        std::uint32_t param_before = 0;
    };
    scope& current() { return all_[open_.back()]; }
    /// Of two prefixes, which are short and differ at the end.
    static bool same(std::string_view a, std::string_view b) noexcept {
        if (a.size() != b.size()) return false;
        for (std::size_t i = a.size(); i-- != 0;)
            if (a[i] != b[i]) return false;
        return true;
    }
    std::uint32_t take(std::uint32_t size) {
        const std::uint32_t at = bytes_;
        bytes_ += (size + 63) / 64 * 64;
        return at;
    }

    std::vector<scope> all_;
    std::vector<std::size_t> open_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> resolved_;
    std::uint32_t bytes_ = 0;
    std::uint32_t predicate_at_ = 0, predicate_left_ = 0;
};

} // namespace hanabi::host::ptx

#endif
