// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What can be told of a function's registers before it runs: which an instruction reads and writes, which may be read
/// before they are written, which are read again after a place.

#ifndef HANABI_HOST_PTX_INITCHECK_REGISTERS_HPP
#define HANABI_HOST_PTX_INITCHECK_REGISTERS_HPP

#include <hanabi/host/ptx/program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace hanabi::host::ptx {

namespace initcheck_detail {

/// Calls f(operand, written) for the registers of an instruction, its guard left out.
template <class F>
void each_register(const program& p, const instruction& in, F f) {
    const auto one = [&](operand o, bool written) {
        if (o.given() && !o.is_constant()) f(o, written);
    };
    const auto listed = [&](std::size_t first, std::size_t count, bool written) {
        for (std::size_t k = 0; k < count; ++k) one(p.extra[in.target + first + k], written);
    };
    const auto inputs = [&] {
        one(in.a, false);
        one(in.b, false);
        one(in.c, false);
        one(in.e, false);
    };
    switch (in.flow) {
    case flow::nothing:
    case flow::fence:
    case flow::async_wait: break;
    case flow::special: one(in.d, true); break;
    case flow::compare:
        one(in.a, false);
        one(in.b, false);
        one(in.c, false);
        one(in.d, true);
        one(in.e, true);
        break;
    case flow::table_predicate:
        one(in.a, false);
        one(in.b, false);
        one(in.c, false);
        one({in.target}, false);
        one(in.d, true);
        one(in.e, true);
        break;
    case flow::pack:
        listed(0, in.count, false);
        one(in.d, true);
        break;
    case flow::unpack:
        one(in.a, false);
        listed(0, in.count, true);
        break;
    case flow::load:
    case flow::parameter:
    case flow::frame_load:
    case flow::frame_load_indirect:
    case flow::store:
    case flow::frame_store:
    case flow::frame_store_indirect: {
        const bool written =
            in.flow == flow::load || in.flow == flow::parameter || in.flow == flow::frame_load || in.flow == flow::frame_load_indirect;
        inputs();
        if (in.count > 1)
            listed(0, in.count, written);
        else
            one(in.d, written);
        break;
    }
    case flow::atomic:
        inputs();
        if (in.width > 1 && !in.b.given()) { // a vector: results, then operands
            listed(in.width, in.width, false);
            listed(0, in.width, true);
        } else
            one(in.d, true);
        break;
    case flow::async_store:
        inputs();
        listed(3, in.count, false);
        break;
    case flow::bulk_copy:
        inputs();
        if (in.width != 0) listed(3, 1, false);
        break;
    case flow::shuffle:
    case flow::match:
    case flow::elect:
        inputs();
        one(in.d, true);
        one({in.target}, true);
        break;
    case flow::load_matrix:
        one(in.a, false);
        listed(0, in.count, true);
        break;
    case flow::store_matrix:
        one(in.a, false);
        listed(0, in.count, false);
        break;
    case flow::load_fragment:
    case flow::store_fragment: {
        inputs();
        listed(1, reinterpret_cast<const std::uint8_t*>(&in.immediate)[3], in.flow == flow::load_fragment); // wmma_detail::fragment
        break;
    }
    case flow::multiply:
        inputs(); // metadata of sparse ones
        listed(in.count, in.width - in.count, false);
        listed(0, in.count, true);
        break;
    case flow::multiply_fragments: {
        const auto count = [&](std::size_t k) { return std::size_t{p.extra[in.target + k].where}; };
        listed(4 + count(0), count(1) + count(2) + count(3), false);
        listed(4, count(0), true);
        break;
    }
    case flow::call:
    case flow::call_built_in: {
        const call_site& site = p.calls[in.target];
        one(site.pointer, false);
        for (const call_site::value& v : site.arguments)
            if (v.in_register) one({v.where}, false);
        for (const call_site::value& v : site.results)
            if (v.in_register) one({v.where}, true);
        break;
    }
    default:
        inputs();
        one(in.d, true);
        break;
    }
}

/// The registers of one function. Immutable.
class function_registers {
  public:
    function_registers(const program& p, const function& f) : p_{p}, f_{f}, cell_at_((f.registers + 3) / 4, none) {
        for (std::size_t i = 0; i < f.cells.size(); ++i) cell_at_[f.cells[i].at / 4] = static_cast<std::uint32_t>(i);
        find_spans();
        find_live();
    }

    /// The number of a register, by its place.
    std::uint32_t cell(operand o) const noexcept { return cell_at_[o.where / 4]; }
    unsigned width(operand o) const noexcept { return f_.cells[cell(o)].width; }
    /// Those that may be read before anything has written them.
    const std::vector<std::uint32_t>& unset() const noexcept { return unset_; }

    /// Whether a register may be read from an instruction on, before it is written.
    bool live(std::uint32_t cell, std::uint32_t pc) const {
        const auto above = std::upper_bound(spans_.begin(), spans_.end(), pc, [](std::uint32_t at, const span& s) { return at < s.first; });
        if (above == spans_.begin()) return true;
        const span& s = *std::prev(above);
        for (std::uint32_t at = pc; at < s.last; ++at) {
            const instruction& in = p_.code[at];
            bool read = in.guard != operand::nothing && this->cell({in.guard}) == cell, written = false;
            each_register(p_, in, [&](operand o, bool writes) {
                if (this->cell(o) == cell) (writes ? written : read) = true;
            });
            if (read) return true;
            if (written && in.guard == operand::nothing) return false;
        }
        for (const std::uint32_t next : s.next)
            if (has(spans_[next].in, cell)) return true;
        return false;
    }

  private:
    static constexpr std::uint32_t none = ~0u;
    using set = std::vector<std::uint64_t>;
    /// Instructions that are executed one after the other.
    struct span {
        std::uint32_t first, last;
        std::vector<std::uint32_t> next;
        set in, writes; ///< registers read before they are written in it or after it; written in it
    };
    static bool has(const set& s, std::uint32_t i) noexcept { return i != none && (s[i / 64] >> (i % 64) & 1) != 0; }

    void find_spans() {
        std::vector<char> begins(f_.end - f_.entry + 1, 0);
        begins[0] = 1;
        const auto mark = [&](std::uint32_t at) {
            if (at >= f_.entry && at <= f_.end) begins[at - f_.entry] = 1;
        };
        const auto ends = [](const instruction& in) {
            return in.kind == step::branch || in.kind == step::branch_table || in.kind == step::ret || in.kind == step::exit;
        };
        for (std::uint32_t at = f_.entry; at < f_.end; ++at) {
            const instruction& in = p_.code[at];
            if (!ends(in)) continue;
            mark(at + 1);
            if (in.kind == step::branch) mark(in.target);
            if (in.kind == step::branch_table)
                for (const std::uint32_t target : p_.tables[in.target]) mark(target);
        }
        for (std::uint32_t at = f_.entry; at < f_.end; ++at) {
            if (begins[at - f_.entry] != 0) spans_.push_back({at, f_.end, {}, {}, {}});
            if (begins[at - f_.entry + 1] != 0) spans_.back().last = at + 1;
        }
        const auto number = [&](std::uint32_t at) {
            const auto above =
                std::upper_bound(spans_.begin(), spans_.end(), at, [](std::uint32_t x, const span& s) { return x < s.first; });
            return static_cast<std::uint32_t>(above - spans_.begin()) - 1;
        };
        for (span& s : spans_) {
            const instruction& in = p_.code[s.last - 1];
            if ((!ends(in) || in.guard != operand::nothing) && s.last < f_.end) s.next.push_back(number(s.last));
            if (in.kind == step::branch) s.next.push_back(number(in.target));
            if (in.kind == step::branch_table)
                for (const std::uint32_t target : p_.tables[in.target]) s.next.push_back(number(target));
        }
    }
    void find_live() {
        const std::size_t words = (f_.cells.size() + 63) / 64;
        const auto put = [](set& s, std::uint32_t i) {
            if (i != none) s[i / 64] |= std::uint64_t{1} << (i % 64);
        };
        for (span& s : spans_) {
            s.in.assign(words, 0);
            s.writes.assign(words, 0);
            for (std::uint32_t at = s.first; at < s.last; ++at) {
                const instruction& in = p_.code[at];
                const auto read = [&](operand o) {
                    if (!has(s.writes, cell(o))) put(s.in, cell(o));
                };
                if (in.guard != operand::nothing) read({in.guard});
                each_register(p_, in, [&](operand o, bool written) {
                    if (!written) read(o);
                });
                if (in.guard == operand::nothing) // else some lanes keep what was there
                    each_register(p_, in, [&](operand o, bool written) {
                        if (written) put(s.writes, cell(o));
                    });
            }
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = spans_.size(); i-- != 0;) {
                span& s = spans_[i];
                for (const std::uint32_t next : s.next)
                    for (std::size_t w = 0; w < words; ++w) {
                        const std::uint64_t more = spans_[next].in[w] & ~s.writes[w] & ~s.in[w];
                        s.in[w] |= more;
                        changed = changed || more != 0;
                    }
            }
        }
        if (spans_.empty()) return;
        for (std::uint32_t i = 0; i < f_.cells.size(); ++i) {
            if (!has(spans_[0].in, i)) continue;
            bool given = false;
            for (const formal& x : f_.parameters) given = given || (x.in_register && x.offset == f_.cells[i].at);
            if (!given) unset_.push_back(i);
        }
    }

    const program& p_;
    const function& f_;
    std::vector<std::uint32_t> cell_at_;
    std::vector<span> spans_;
    std::vector<std::uint32_t> unset_;
};

} // namespace initcheck_detail

/// What is known of the functions of a module, found out when it is first asked for. Any thread.
class register_book {
  public:
    const initcheck_detail::function_registers& of(const program& p, const function& f) {
        const std::lock_guard lock{mutex_};
        auto& known = known_[&f];
        if (known == nullptr) known = std::make_unique<initcheck_detail::function_registers>(p, f);
        return *known;
    }

  private:
    std::mutex mutex_;
    std::unordered_map<const function*, std::unique_ptr<initcheck_detail::function_registers>> known_;
};

} // namespace hanabi::host::ptx

#endif
