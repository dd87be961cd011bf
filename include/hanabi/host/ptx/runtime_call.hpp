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

/// What printf makes of a format, and how many arguments it took: its result on a device (CUDA C++ Programming Guide, "Formatted
/// Output").
struct printed {
    std::string text;
    unsigned arguments = 0;
};

/// printf with arguments in memory, each at its own alignment: 4 bytes for int, 8 for long, pointers and doubles.
inline printed formatted(context& c, std::uint64_t format_address, std::uint64_t arguments, unsigned lane) {
    const std::string format = text_at(c, format_address, lane);
    printed out;
    std::uint64_t offset = 0;
    const auto take = [&](unsigned size) {
        offset = (offset + size - 1) / size * size;
        std::uint64_t v = 0;
        for (observer* o : c.b->observers) o->reads(c, arguments + offset, size, lane);
        std::memcpy(&v, resolve_one(c, space::generic, arguments + offset, size, access::load, lane), size);
        offset += size;
        ++out.arguments;
        return v;
    };
    const auto put = [&](const std::string& spec, auto value) {
        const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
        if (size <= 0) return;
        const std::size_t before = out.text.size();
        out.text.resize(before + static_cast<std::size_t>(size) + 1); // snprintf writes a NUL
        std::snprintf(out.text.data() + before, static_cast<std::size_t>(size) + 1, spec.c_str(), value);
        out.text.pop_back();
    };
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            out.text += format[i];
            continue;
        }
        std::string spec = "%";
        unsigned longs = 0, halves = 0;
        for (++i; i < format.size() && std::strchr("-+ #0123456789.*lhzjtq", format[i]) != nullptr; ++i) {
            const char letter = format[i];
            if (letter == 'l' || letter == 'z' || letter == 'j' || letter == 't' || letter == 'q')
                longs = 2;
            else if (letter == 'h')
                ++halves;
            else if (letter == '*') {
                const int given = static_cast<int>(take(4));
                if (spec.back() != '.')
                    spec += std::to_string(given);
                else if (given < 0)
                    spec.pop_back(); // as if there were no precision
                else
                    spec += std::to_string(given);
            } else
                spec += letter;
        }
        if (i >= format.size()) break;
        const char kind = format[i];
        if (kind == '%')
            out.text += '%';
        else if (std::strchr("di", kind) != nullptr) {
            const std::uint64_t v = take(longs != 0 ? 8 : 4);
            long long value = longs != 0 ? static_cast<long long>(v) : static_cast<std::int32_t>(v);
            if (halves == 1) value = static_cast<std::int16_t>(value);
            if (halves > 1) value = static_cast<std::int8_t>(value);
            put(spec + "ll" + kind, value);
        } else if (std::strchr("ouxX", kind) != nullptr) {
            unsigned long long value = take(longs != 0 ? 8 : 4);
            if (halves == 1) value = static_cast<std::uint16_t>(value);
            if (halves > 1) value = static_cast<std::uint8_t>(value);
            put(spec + "ll" + kind, value);
        } else if (std::strchr("aAeEfFgG", kind) != nullptr)
            put(spec + kind, std::bit_cast<double>(take(8)));
        else if (kind == 'c')
            put(spec + kind, static_cast<int>(take(4)));
        else if (kind == 'p')
            put("0x%llx", static_cast<unsigned long long>(take(8)));
        else if (kind == 's') {
            const std::uint64_t at = take(8);
            const std::string text = at == 0 ? std::string{"(null)"} : text_at(c, at, lane);
            if (spec == "%")
                out.text += text;
            else
                put(spec + "s", text.c_str());
        } else
            out.text += spec + kind;
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
            const printed p = formatted(c, argument(0, lane), argument(1, lane), lane);
            c.l->outside->print(p.text);
            give_result(c, site, lane, p.arguments);
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
