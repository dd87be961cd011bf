// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What memory an expression uses: every leaf of it as an operation with a name, every range that it reads or writes.

#ifndef HANABI_DETAIL_ACCESSES_HPP
#define HANABI_DETAIL_ACCESSES_HPP

#include <hanabi/descriptor.hpp>
#include <hanabi/detail/allocation.hpp>
#include <hanabi/detail/context_state.hpp>
#include <hanabi/detail/dataflow.hpp>
#include <hanabi/detail/mutex.hpp>
#include <hanabi/detail/pod_list.hpp>
#include <hanabi/detail/shared.hpp>
#include <hanabi/error.hpp>
#include <hanabi/expression/copy.hpp>
#include <hanabi/expression/touches.hpp>
#include <hanabi/geometry.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <source_location>
#include <string>
#include <system_error>

namespace hanabi::detail {

/// A leaf of an expression, for messages.
struct operation {
    const descriptor* kernel; ///< null for what is no launch
    const char* what;         ///< "copy", say
    std::source_location site;
};

/// What accesses are collected for, which says what is made of the unknown: of pointers left open, and of leaves that
/// don't say what they use.
enum class access_purpose : unsigned char {
    races, ///< an open pointer points to memory of its own, the same for one name; an unknown leaf uses nothing
    order  ///< both may use anything
};

/// The address of the name itself stands for what a placeholder points to: no memory of the device is there.
template <text Name>
inline constexpr char placeholder_address = 0;

/// Collects operations and accesses of expressions in one context. Holds the lock of the context's allocations: no
/// allocation and no freeing while one of these lives.
template <class Void>
class basic_access_collector {
  public:
    basic_access_collector(context_state& in, access_purpose purpose) : context_{in}, purpose_{purpose}, held_{in.allocations_mutex} {}

    pod_list<typename dependent<hanabi::detail::operation, Void>::type> operations;
    pod_list<typename dependent<memory_access, Void>::type> accesses;

    /// Adds an expression's accesses, as those of the next task.
    template <class E>
    void collect(const E& e) {
        e.for_each_part(next_task{{*this}});
    }

    /// Checks an expression's parallel parts, all levels; false with a race, which is in `race`.
    template <class E>
    bool check(const E& e) {
        return visit_checking(e);
    }
    race_pair race{};

    /// What is to be said of the race.
    std::string race_text(const char* doing) const {
        const memory_access& a = accesses[race.first];
        const memory_access& b = accesses[race.second];
        const driver::device_address begin = a.begin > b.begin ? a.begin : b.begin;
        const driver::device_address end = a.end < b.end ? a.end : b.end;
        std::string s = doing;
        s += ": " + access_text(a) + ", beside it " + access_text(b) + ", and nothing orders the two: ";
        for (const open_name& o : open_names_)
            if (o.address == begin) return s + "both are what \"" + o.name + "\"_arg is bound to" + advice();
        char address[40];
        if (end - begin == 1)
            std::snprintf(address, sizeof address, "the address 0x%llx", begin);
        else
            std::snprintf(address, sizeof address, "%llu bytes at 0x%llx", end - begin, begin);
        s += address;
        const allocation* const found = context_.allocations.find(begin);
        if (found != nullptr && begin - found->address < found->bytes) {
            std::snprintf(address, sizeof address, "0x%llx", found->address);
            s += std::string{" of the buffer of "} + std::to_string(found->bytes) + " bytes at " + address;
        }
        return s + advice();
    }

    // For leaves that say their accesses themselves.

    /// A new operation, to which the accesses added next belong.
    void begin(const char* what, const std::source_location& site = {}) { operations.push_back({nullptr, what, site}); }
    /// Of a range of known size.
    void add(driver::device_address from, driver::device_address to, bool writes, std::uint32_t argument) {
        if (from < to) accesses.push_back({from, to, static_cast<std::uint32_t>(operations.size() - 1), task_, argument, writes});
    }
    /// Of the whole buffer at an address; of foreign memory the address is all that is known.
    void add_whole(driver::device_address address, bool writes, std::uint32_t argument) {
        if (address == 0) return;
        if (address - last_begin_ >= last_end_ - last_begin_) { // not in the buffer found last
            const allocation* const found = context_.allocations.find(address);
            if (found != nullptr && address - found->address < found->bytes) {
                last_begin_ = found->address;
                last_end_ = found->address + found->bytes;
            } else {
                add(address, address + 1, writes, argument);
                return;
            }
        }
        add(last_begin_, last_end_, writes, argument);
    }
    /// Of anything that is.
    void add_everything(bool writes, std::uint32_t argument = 0) { add(0, ~driver::device_address{0}, writes, argument); }

  private:
    // What is done with each part. Launches that are closed come as what they are made of, whatever their kernel: so there is
    // little to instantiate for each of many.
    template <class Derived>
    struct for_part {
        basic_access_collector& self;
        template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
        void operator()(const launch_data<G, Size, Alignment, Arity>& part) const {
            static_cast<const Derived*>(this)->go(part);
        }
        template <class K, class G, class First, class... Open>
        void operator()(const launch<K, G, First, Open...>& part) const {
            static_cast<const Derived*>(this)->go(part);
        }
        template <class E>
        requires(E::node != node_kind::launch) void operator()(const E& part) const { static_cast<const Derived*>(this)->go(part); }
    };
    struct next_part : for_part<next_part> {
        template <class E>
        void go(const E& part) const {
            this->self.visit(part);
        }
    };
    struct next_task : for_part<next_task> {
        template <class E>
        void go(const E& part) const {
            this->self.visit(part);
            ++this->self.task_;
        }
    };
    /// Of an expression that is checked: while all is well.
    struct next_checked : for_part<next_checked> {
        bool& good;
        std::size_t& done;
        bool numbered; ///< each part is a task of its own
        std::uint32_t& number;
        template <class E>
        void go(const E& part) const {
            good = good && this->self.visit_checking(part);
            if (numbered) this->self.number_accesses(done, number);
        }
    };
    void number_accesses(std::size_t& done, std::uint32_t& number) noexcept {
        for (; done < accesses.size(); ++done) accesses[done].task = number;
        ++number;
    }

    template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
    void visit(const launch_data<G, Size, Alignment, Arity>& e) {
        add_launch(*e.kernel, e.geometry.site, e.arguments.bytes, list<>{});
    }
    template <class K, class G, class First, class... Open>
    void visit(const launch<K, G, First, Open...>& e) {
        add_launch(*e.kernel, e.geometry.site, e.arguments.bytes, list<First, Open...>{});
    }
    template <class E>
    requires(E::node != node_kind::launch) void visit(const E& e) {
        constexpr node_kind node = E::node;
        if constexpr (has_parts(node))
            e.for_each_part(next_part{{*this}});
        else if constexpr (node == node_kind::copy)
            add_copy(e, typename E::open_arguments{});
        else if constexpr (node == node_kind::fill) {
            begin("fill", e.site);
            add(e.destination, e.destination + e.count * e.element, true, 1);
        } else if constexpr (node == node_kind::touches)
            add_touches(e);
        else if constexpr (node == node_kind::group)
            visit(e.body);
        else if constexpr (node == node_kind::repeat) {
            if (e.times != 0) visit(e.body);
        } else if constexpr (node == node_kind::when) {
            if (e.enabled) visit(e.body);
        } else if constexpr (node == node_kind::repeat_while) {
            begin("repeat_while");
            add(e.flag, e.flag + 4, false, 1);
            visit(e.body);
        } else
            add_other(e);
    }
    static constexpr bool has_parts(node_kind node) noexcept {
        return node == node_kind::sequence || node == node_kind::parallel || node == node_kind::unordered || node == node_kind::dataflow ||
               node == node_kind::sequence_range || node == node_kind::parallel_range || node == node_kind::unordered_range ||
               node == node_kind::dataflow_range;
    }

    template <class E>
    bool visit_checking(const E& e) {
        visit(e);
        return true;
    }
    template <class E>
    requires(E::forks) bool visit_checking(const E& e) {
        constexpr node_kind node = E::node;
        if constexpr (node == node_kind::touches) {
            // What it declares is checked against what is beside it; its inner parts by their arguments.
            const std::size_t from = accesses.size();
            if (!visit_checking(e.body)) return false;
            if (e.only) accesses.shorten(from);
            add_declared(e);
            return true;
        } else if constexpr (node == node_kind::group)
            return visit_checking(e.body);
        else if constexpr (node == node_kind::repeat)
            return e.times == 0 || visit_checking(e.body);
        else if constexpr (node == node_kind::when)
            return !e.enabled || visit_checking(e.body);
        else if constexpr (node == node_kind::repeat_while) {
            begin("repeat_while");
            add(e.flag, e.flag + 4, false, 1);
            return visit_checking(e.body);
        } else {
            const std::size_t from = accesses.size();
            constexpr bool checked = node == node_kind::parallel || node == node_kind::parallel_range;
            bool good = true;
            std::uint32_t part_number = 0;
            std::size_t done = from;
            e.for_each_part(next_checked{{*this}, good, done, checked, part_number});
            if constexpr (checked) {
                if (!good) return false;
                const access_view mine{accesses.begin() + from, accesses.size() - from};
                const race_pair found = find_race(mine);
                if (found.first != mine.size()) {
                    race = {from + found.first, from + found.second};
                    return false;
                }
            }
            return good;
        }
    }

    template <class... Open>
    void add_launch(const descriptor& kernel, const std::source_location& site, const std::byte* arguments, list<Open...>) {
        operations.push_back({&kernel, "launch", site});
        for (unsigned i = 0; i < kernel.arity; ++i) {
            const parameter& p = kernel.parameters[i];
            if (p.kind != parameter_kind::pointer || p.size != sizeof(std::uintptr_t)) continue;
            open_name name{0, nullptr};
            (static_cast<void>(Open::place == open_place::arguments && Open::offset == p.offset && (name = open_name_of<Open>(), true)),
             ...);
            if (name.name != nullptr)
                add_open(name, !p.reads_only, i + 1);
            else {
                std::uintptr_t address = 0;
                std::memcpy(&address, arguments + p.offset, sizeof address);
                add_whole(address, !p.reads_only, i + 1);
            }
        }
    }

    struct open_name {
        driver::device_address address;
        const char* name;
    };
    template <class Open>
    static open_name open_name_of() noexcept {
        return {reinterpret_cast<std::uintptr_t>(&placeholder_address<Open::name>), Open::name.data()};
    }
    void add_open(const open_name& name, bool writes, std::uint32_t argument) {
        if (purpose_ == access_purpose::order)
            add_everything(writes, argument);
        else {
            open_names_.push_back(name);
            add(name.address, name.address + 1, writes, argument);
        }
    }
    static std::string advice() {
        return "; write a >> b to order them, or unordered(a, b) if they are not to be: they use atomics, or different parts of it";
    }
    /// `blas::axpy at f.cpp:12 writes argument 3 (y)`
    std::string access_text(const memory_access& a) const {
        const hanabi::detail::operation& o = operations[a.operation];
        std::string s;
        if (o.kernel != nullptr)
            s.append(o.kernel->module.data(), o.kernel->module.size())
                .append("::")
                .append(o.kernel->symbol.data(), o.kernel->symbol.size());
        else
            s = o.what;
        if (o.site.line() != 0) s.append(" at ").append(o.site.file_name()).append(":").append(std::to_string(o.site.line()));
        s += a.writes ? " writes " : " reads ";
        if (a.argument == 0) return s + "what it is said to touch";
        if (o.kernel == nullptr) return s + (a.argument == 1 ? "its destination" : "its source");
        s += "argument " + std::to_string(a.argument);
        const name_view name = o.kernel->parameter_name(a.argument - 1);
        return name.empty() ? s : s.append(" (").append(name.data(), name.size()).append(")");
    }

    template <class... Open>
    void add_copy(const copy_data& c, list<Open...>) {
        begin("copy", c.site);
        open_name destination{0, nullptr}, source{0, nullptr};
        (static_cast<void>((Open::offset == 0 ? destination : source) = open_name_of<Open>()), ...);
        if (destination.name != nullptr)
            add_open(destination, true, 1);
        else
            add(c.destination, c.destination + c.bytes(), true, 1);
        if (source.name != nullptr)
            add_open(source, false, 2);
        else
            add(c.source, c.source + c.bytes(), false, 2);
    }

    template <class E>
    void add_touches(const E& e) {
        const std::size_t from = accesses.size();
        visit(e.body);
        if (e.only || is_unknown(e.body)) accesses.shorten(from);
        add_declared(e);
    }
    template <class E, std::size_t N>
    void add_declared(const touching<E, N>& e) {
        for (std::size_t i = 0; i < N; ++i) {
            const touched& t = e.declared.items[i];
            if (t.end != 0)
                add(t.begin, t.end, t.writes, 0);
            else
                add_whole(t.begin, t.writes, 0);
        }
    }
    /// Leaves that don't say what they use.
    template <class E>
    static constexpr bool is_unknown([[maybe_unused]] const E& e) noexcept {
        if constexpr (E::node == node_kind::call || E::node == node_kind::barrier || E::node == node_kind::record ||
                      E::node == node_kind::wait)
            return true;
        else if constexpr (E::node == node_kind::custom)
            return !requires(basic_access_collector & c) { e.accesses(c); };
        else
            return false;
    }

    /// Leaves of which nothing is known: calls, barriers, events and what others define without saying.
    template <class E>
    void add_other(const E& e) {
        if constexpr (requires { e.accesses(*this); })
            e.accesses(*this);
        else {
            begin(E::node == node_kind::call      ? "call"
                  : E::node == node_kind::barrier ? "barrier"
                  : E::node == node_kind::record  ? "record"
                  : E::node == node_kind::wait    ? "wait"
                                                  : "nested plan");
            if (purpose_ == access_purpose::order) add_everything(true);
        }
    }

    context_state& context_;
    access_purpose purpose_;
    std::uint32_t task_ = 0;
    driver::device_address last_begin_ = 0, last_end_ = 0;
    pod_list<typename dependent<open_name, Void>::type> open_names_;
    detail::lock held_;
};

/// Not compiled by sources that have no use for it.
using access_collector = basic_access_collector<void>;

/// The dependencies of the parts of a dataflow.
template <class E>
dataflow_graph infer_dataflow(const E& e, context_state& in, std::size_t parts) {
    typename dependent<access_collector, E>::type c{in, access_purpose::order};
    c.collect(e);
    return infer(parts, access_view{c.accesses.begin(), c.accesses.size()});
}

/// errc::race where of two parts beside each other, anywhere in the expression, one writes what the other uses.
template <class E>
std::error_code check_races(const E& e, context_state& in, std::string* words, const char* doing) {
    typename dependent<access_collector, E>::type c{in, access_purpose::races};
    if (c.check(e)) return {};
    if (words != nullptr) *words = c.race_text(doing);
    return errc::race;
}

} // namespace hanabi::detail

#endif
