// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What one observer finds waits until another has seen the rest: a missing barrier shows first as a read of what nothing has
/// written yet, and only then as the race that it is.

#ifndef HANABI_HOST_PTX_POSTPONED_HPP
#define HANABI_HOST_PTX_POSTPONED_HPP

#include <hanabi/host/ptx/machine.hpp>
#include <hanabi/host/ptx/observer.hpp>
#include <hanabi/host/ptx/place.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace hanabi::host::ptx {

/// Keeps the first fault of an observer, which sees nothing after it, until the launch is over.
class postponed : public observer {
  public:
    postponed(const launch& of, std::unique_ptr<observer> whose) : l_{of}, of_{std::move(whose)} {}

    /// What has been found, with its place; null: nothing yet.
    const fault* kept() const noexcept { return kept_ ? &*kept_ : nullptr; }

    std::uint8_t interest() const noexcept override { return of_->interest(); }
    void begin(block& b) override {
        if (!kept_) of_->begin(b);
    }
    void before(context& c, const instruction& in, std::uint32_t mask) override {
        if (!kept_) keep(c, static_cast<std::uint32_t>(&in - l_.code->code.data()), [&] { of_->before(c, in, mask); });
    }
    void called(context& c, const call_site& site, frame& callee, std::uint32_t mask) override {
        if (!kept_) keep(c, c.g->pc, [&] { of_->called(c, site, callee, mask); });
    }
    void returned(context& c, const call_site& site, frame& callee, std::uint32_t mask) override {
        if (!kept_) keep(c, c.g->pc, [&] { of_->returned(c, site, callee, mask); });
    }
    void converged(warp& w, std::uint32_t mask) override {
        if (!kept_) of_->converged(w, mask);
    }
    void arrived(warp& w, std::uint32_t barrier, std::uint32_t mask) override {
        if (!kept_) of_->arrived(w, barrier, mask);
    }
    void passed(warp& w, std::uint32_t barrier, std::uint32_t mask) override {
        if (!kept_) of_->passed(w, barrier, mask);
    }
    void copied(context& c, const async_copy& copy) override {
        if (!kept_) keep(c, copy.pc, [&] { of_->copied(c, copy); });
    }
    void joined(warp& w, frame& to, frame& from, std::uint32_t mask) override {
        if (!kept_) of_->joined(w, to, from, mask);
    }
    void reads(context& c, std::uint64_t address, unsigned bytes, unsigned lane) override {
        if (!kept_) keep(c, c.g->pc, [&] { of_->reads(c, address, bytes, lane); });
    }
    void ended(warp& w, std::uint32_t mask) override {
        if (!kept_) of_->ended(w, mask);
    }
    void finish() override {
        if (kept_) throw *kept_;
        of_->finish();
    }

  private:
    template <class F>
    void keep(const context& c, std::uint32_t at, F look) {
        try {
            look();
        } catch (const fault& f) {
            kept_ = f;
            if (f.place.empty())
                kept_->place = place_text(l_, at, c.b->index, f.warp < 0 ? c.w->index : static_cast<unsigned>(f.warp), f.lane);
        }
    }

    const launch& l_;
    std::unique_ptr<observer> of_;
    std::optional<fault> kept_;
};

} // namespace hanabi::host::ptx

#endif
