// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Where bits without values came from, and what is said of their use.

#ifndef HANABI_HOST_PTX_INITCHECK_EVENTS_HPP
#define HANABI_HOST_PTX_INITCHECK_EVENTS_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/initcheck_places.hpp>
#include <hanabi/host/ptx/initcheck_shadow.hpp>
#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/place.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hanabi::host::ptx::initcheck_detail {

/// What brought bits without values into a register.
struct event {
    std::uint32_t number = 0;
    std::uint32_t pc = 0;
    space in = space::generic;
    std::uint32_t mask = 0;
    std::uint64_t address[lanes];
};

/// The newest of them, and faults that name them.
class event_log {
  public:
    event_log(const launch& of, const known_places& places) : l_{of}, places_{places} {}

    /// A new one of an instruction. It may take the place of the oldest.
    event& add(const context& c, const instruction& in) {
        if (++last_event_ == 0) ++last_event_;
        if (events_.empty()) events_.resize(256);
        event& e = events_[last_event_ % events_.size()];
        e.number = last_event_;
        e.pc = static_cast<std::uint32_t>(&in - c.l->code->code.data());
        e.in = in.in;
        e.mask = 0;
        return e;
    }
    /// Ends the launch: `use` of what lacks bits in some lanes.
    [[noreturn]] HANABI_COLD void report(const char* use, origin from, std::uint32_t lacking) const {
        const unsigned lane = first_lane(lacking);
        const bool computed = (from.computed >> lane & 1) != 0;
        throw fault{driver::status::launch_failed,
                    detail::say("Uninitialised value: ", use, computed ? " computed from " : " ", text_of(from, lane)), lane};
    }
    /// A use of a register.
    void use(const frame_shadow& s, operand o, std::uint32_t mask, const char* how) const {
        if (const std::uint32_t lacking = s.lanes_of(o) & mask; lacking != 0) report(how, s.from(o), lacking);
    }

  private:
    /// Where a value came from, for a lane.
    std::string text_of(origin from, unsigned lane) const {
        if (from.event == 0) return "a register that nothing has written";
        const event& e = events_[from.event % events_.size()];
        if (e.number != from.event) return "memory that nothing has written";
        const std::string line = line_text(*l_.code, e.pc);
        if ((e.mask >> lane & 1) == 0) lane = first_lane(e.mask);
        return detail::say("a value read in ", line, " from ", places_.place_of(e.in, e.address[lane]), ", which nothing has written");
    }

    const launch& l_;
    const known_places& places_;
    std::vector<event> events_; ///< one's place is its number modulo their count
    std::uint32_t last_event_ = 0;
};

} // namespace hanabi::host::ptx::initcheck_detail

#endif
