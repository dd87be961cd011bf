// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The functions that every device has: vprintf, malloc, free, __assertfail. Called with the parameters of the caller's
/// frame, one lane after the other.

#ifndef HANABI_HOST_PTX_RUNTIME_CALL_HPP
#define HANABI_HOST_PTX_RUNTIME_CALL_HPP

#include <hanabi/host/log.hpp>
#include <hanabi/host/ptx/address.hpp>
#include <hanabi/host/ptx/machine.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace hanabi::host::ptx {

/// The built-in function of a name.
inline builtin find_builtin(std::string_view name) noexcept {
    if (name == "vprintf") return builtin_vprintf;
    if (name == "malloc") return builtin_malloc;
    if (name == "free") return builtin_free;
    if (name == "__assertfail") return builtin_assert;
    return no_builtin;
}

namespace runtime_detail {

/// A text in the memory of a lane, up to its NUL.
inline std::string text_at(context& c, std::uint64_t address, unsigned lane) {
    std::string out;
    for (; out.size() < 65536; ++address) {
        for (observer* o : c.b->observers) o->reads(c, address, 1, lane);
        const char letter = static_cast<char>(*resolve_one(c, space::generic, address, 1, access::load, lane));
        if (letter == '\0') break;
        out += letter;
    }
    return out;
}

/// printf with arguments in memory, each at its own alignment: 4 bytes for int, 8 for long, pointers and doubles.
inline std::string formatted(context& c, std::uint64_t format_address, std::uint64_t arguments, unsigned lane) {
    const std::string format = text_at(c, format_address, lane);
    std::string out;
    std::uint64_t offset = 0;
    const auto take = [&](unsigned size) {
        offset = (offset + size - 1) / size * size;
        std::uint64_t v = 0;
        for (observer* o : c.b->observers) o->reads(c, arguments + offset, size, lane);
        std::memcpy(&v, resolve_one(c, space::generic, arguments + offset, size, access::load, lane), size);
        offset += size;
        return v;
    };
    char buffer[512];
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            out += format[i];
            continue;
        }
        std::string spec = "%";
        unsigned longs = 0;
        bool half = false;
        for (++i; i < format.size() && std::strchr("-+ #0123456789.*lhzjtq", format[i]) != nullptr; ++i) {
            const char letter = format[i];
            if (letter == 'l' || letter == 'z' || letter == 'j' || letter == 't' || letter == 'q')
                longs = 2;
            else if (letter == 'h')
                half = true;
            else if (letter == '*')
                spec += std::to_string(static_cast<int>(take(4)));
            else
                spec += letter;
        }
        if (i >= format.size()) break;
        const char kind = format[i];
        if (kind == '%') {
            out += '%';
            continue;
        }
        int written = 0;
        if (std::strchr("di", kind) != nullptr) {
            const std::uint64_t v = take(longs != 0 ? 8 : 4);
            long long value = longs != 0 ? static_cast<long long>(v) : static_cast<std::int32_t>(v);
            if (half) value = static_cast<std::int16_t>(value);
            written = std::snprintf(buffer, sizeof buffer, (spec + "ll" + kind).c_str(), value);
        } else if (std::strchr("ouxX", kind) != nullptr)
            written = std::snprintf(buffer, sizeof buffer, (spec + "ll" + kind).c_str(),
                                    static_cast<unsigned long long>(take(longs != 0 ? 8 : 4)));
        else if (std::strchr("aAeEfFgG", kind) != nullptr)
            written = std::snprintf(buffer, sizeof buffer, (spec + kind).c_str(), std::bit_cast<double>(take(8)));
        else if (kind == 'c')
            written = std::snprintf(buffer, sizeof buffer, (spec + kind).c_str(), static_cast<int>(take(4)));
        else if (kind == 'p')
            written = std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(take(8)));
        else if (kind == 's') {
            const std::string text = text_at(c, take(8), lane);
            if (spec == "%") {
                out += text;
                continue;
            }
            written = std::snprintf(buffer, sizeof buffer, (spec + "s").c_str(), text.c_str());
        } else {
            out += spec + kind;
            continue;
        }
        if (written > 0) out.append(buffer, std::min(static_cast<std::size_t>(written), sizeof buffer - 1));
    }
    return out;
}

/// The bytes of an argument or the result of a call, in a lane.
inline std::uint64_t argument_value(context& c, const call_site::value& v, unsigned lane) {
    std::uint64_t out = 0;
    if (v.in_register) return wide_value(c, {v.where}, v.size, lane);
    const frame& f = c.here();
    std::memcpy(&out, f.params.data() + static_cast<std::size_t>(lane) * f.of->param_bytes + v.where, v.size < 8 ? v.size : 8);
    return out;
}
inline void give_result(context& c, const call_site& site, unsigned lane, std::uint64_t value) {
    if (site.results.empty()) return;
    const call_site::value& v = site.results[0];
    if (v.in_register)
        set_value(c, {v.where}, v.size, lane, value);
    else {
        frame& f = c.here();
        std::memcpy(f.params.data() + static_cast<std::size_t>(lane) * f.of->param_bytes + v.where, &value, v.size < 8 ? v.size : 8);
    }
}

} // namespace runtime_detail

/// Runs a built-in function for the lanes of a mask.
inline void run_builtin(context& c, const call_site& site, std::uint32_t mask) {
    using namespace runtime_detail;
    const auto argument = [&](std::size_t k, unsigned lane) {
        return k < site.arguments.size() ? argument_value(c, site.arguments[k], lane) : 0;
    };
    each_lane(mask, [&](unsigned lane) {
        switch (site.builtin) {
        case builtin_vprintf: {
            const std::string text = formatted(c, argument(0, lane), argument(1, lane), lane);
            c.l->outside->print(text);
            give_result(c, site, lane, text.size());
            break;
        }
        case builtin_malloc: give_result(c, site, lane, c.l->outside->allocate(static_cast<std::size_t>(argument(0, lane)))); break;
        case builtin_free:
            c.last = {};
            if (const std::uint64_t p = argument(0, lane); p != 0 && !c.l->outside->free(p))
                throw fault{driver::status::launch_failed,
                            detail::say("free of ", detail::address_text(p), ", which malloc did not give or free took back already"),
                            lane};
            break;
        case builtin_assert:
            throw fault{driver::status::assert_,
                        detail::say("Assertion `", text_at(c, argument(0, lane), lane), "` failed in ", text_at(c, argument(3, lane), lane),
                                    ", ", text_at(c, argument(1, lane), lane), ":", argument(2, lane) & 0xffffffffu),
                        lane};
        default: break;
        }
    });
}

} // namespace hanabi::host::ptx

#endif
