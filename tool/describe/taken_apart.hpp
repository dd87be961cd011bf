// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A mangled function taken apart: its name, template arguments and parameters, each type by its encoding without
/// substitutions.

#ifndef HANABI_TOOL_TAKEN_APART_HPP
#define HANABI_TOOL_TAKEN_APART_HPP

#include <hanabi/mangling.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

/// `_ZN2la4scalEfPfi` as "la::scal", {}, {"f", "Pf", "i"}.
struct taken_apart {
    std::string name;
    bool is_template = false;
    std::vector<std::string> arguments;  ///< of the template
    std::vector<std::string> parameters; ///< as the template spells them; none for (void)
};

/// Reads Itanium names of plain functions and function templates in namespaces. What a descriptor can't say (members of
/// class templates, operators, lambda expressions, expressions) is refused, and so is what it does not know.
class name_reader {
  public:
    explicit name_reader(std::string_view symbol) : in_{symbol} {}

    bool read(taken_apart& out) {
        out = {};
        if (in_.substr(0, 2) != "_Z") return false;
        at_ = 2;
        function_name(out);
        if (good_ && out.is_template && type() != "v") good_ = false; // the result
        while (good_ && at_ < in_.size()) out.parameters.push_back(type());
        if (!good_ || out.parameters.empty()) return false;
        if (out.parameters.size() == 1 && out.parameters[0] == "v") out.parameters.clear();
        for (const std::string& p : out.parameters)
            if (p == "v") return false;
        return spells(out);
    }

  private:
    /// A component that a substitution can stand for. Names are kept as paths: 2la3Vec for the prefix and the type
    /// N2la3VecE.
    struct component {
        std::string text;
        unsigned parts = 0;    ///< of a path; 0 where it is no name
        bool instance = false; ///< its last part has template arguments, so it takes no more
        std::string type() const { return parts > 1 ? "N" + text + "E" : text; }
    };

    char peek(std::size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }
    bool digit() const { return peek() >= '0' && peek() <= '9'; }
    std::string fail() {
        good_ = false;
        at_ = in_.size();
        return {};
    }
    void keep(component c) {
        spent_ += c.text.size();
        if (spent_ > 65536) fail(); // repetitions of repetitions grow without end
        known_.push_back(std::move(c));
    }

    std::string source_name() {
        const std::size_t begin = at_;
        std::size_t n = 0;
        while (digit() && n < 100000) n = n * 10 + static_cast<std::size_t>(in_[at_++] - '0');
        if (n == 0 || n > in_.size() - at_) return fail();
        if (digit()) return fail();
        for (const std::size_t end = at_ + n; at_ < end; ++at_)
            if (const auto c = static_cast<unsigned char>(peek());
                !digit() && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z') && c != '_' && c != '$' && c < 0x80)
                return fail(); // no identifier
        return std::string{in_.substr(begin, at_ - begin)};
    }
    static std::string identifier(const std::string& source_name) {
        return source_name.substr(source_name.find_first_not_of("0123456789"));
    }

    /// S_, S0_ ... as the component it stands for.
    const component* substitution() {
        std::size_t n = 0;
        if (peek() != '_') {
            for (; peek() != '_'; ++at_) {
                const char c = peek();
                if (!digit() && (c < 'A' || c > 'Z')) return nullptr;
                n = n * 36 + static_cast<std::size_t>(digit() ? c - '0' : c - 'A' + 10);
                if (n > known_.size()) return nullptr;
            }
            ++n;
        }
        ++at_;
        return n < known_.size() ? &known_[n] : nullptr;
    }

    std::string template_parameter() {
        const std::size_t begin = at_++;
        while (digit()) ++at_;
        if (peek() != '_') return fail();
        ++at_;
        return std::string{in_.substr(begin, at_ - begin)};
    }

    std::string argument() {
        if (peek() == 'L') {
            ++at_;
            if (peek() == '_') return fail(); // the address of something
            std::string s = "L" + type();
            const std::size_t begin = at_;
            while (peek() != 'E' && peek() != '\0') ++at_;
            if (peek() == '\0') return fail();
            ++at_;
            return s.append(in_.substr(begin, at_ - begin));
        }
        if (peek() == 'J') return "J" + arguments(nullptr);
        return type();
    }
    /// From after I or J through its E; the elements one by one, too.
    std::string arguments(std::vector<std::string>* each) {
        ++at_;
        std::string s;
        while (good_ && peek() != 'E') {
            std::string a = argument();
            s += a;
            if (each != nullptr) each->push_back(std::move(a));
        }
        ++at_;
        return good_ ? s + "E" : s;
    }

    /// The rest of a name that may have template arguments.
    std::string with_arguments(component c) {
        keep(c);
        if (peek() == 'I') {
            c.text += "I" + arguments(nullptr);
            c.instance = true;
            if (good_) keep(c);
        }
        return c.type();
    }

    std::string nested_name() {
        ++at_;
        component c;
        while (good_ && peek() != 'E') {
            if (peek() == 'S') {
                if (!c.text.empty()) return fail();
                ++at_;
                if (peek() == 't') {
                    ++at_;
                    c.text = "St";
                    continue;
                }
                if (std::string_view{"absiod"}.find(peek()) != std::string_view::npos && peek() != '\0') {
                    c = {std::string{"S"} + peek(), 1};
                    ++at_;
                    continue;
                }
                const component* const known = substitution();
                if (known == nullptr || known->parts == 0) return fail();
                c = *known;
                continue;
            }
            if (peek() == 'I') {
                if (c.parts == 0 || c.instance) return fail();
                c.text += "I" + arguments(nullptr);
                c.instance = true;
            } else if (peek() == 'T') {
                if (!c.text.empty()) return fail();
                c = {template_parameter(), 1};
            } else if (digit()) {
                c.text += source_name();
                ++c.parts;
                c.instance = false;
            } else
                return fail();
            if (good_) keep(c);
        }
        if (c.parts == 0) return fail();
        ++at_;
        return c.type();
    }

    void function_name(taken_apart& out) {
        const bool nested = peek() == 'N';
        if (nested) ++at_;
        component c;
        if (peek() == 'S' && peek(1) == 't') {
            at_ += 2;
            c.text = "St";
            out.name = "std";
        }
        while (true) {
            if (!digit()) {
                fail();
                return;
            }
            const std::string source = source_name();
            if (!good_) return;
            c.text += source;
            ++c.parts;
            out.name += (out.name.empty() ? "" : "::") + identifier(source);
            if (!nested || peek() == 'E' || peek() == 'I') break;
            keep(c);
        }
        if (peek() == 'I') {
            keep(c);
            arguments(&out.arguments);
            out.is_template = true;
        }
        if (nested) {
            if (peek() != 'E') fail(); // a member of a class template
            ++at_;
        }
    }

    std::string type() {
        if (depth_ > 60) return fail();
        ++depth_;
        std::string s = type_inside();
        --depth_;
        return s;
    }
    std::string type_inside() {
        const char c = peek();
        const auto kept = [&](std::string text) {
            if (good_) keep({text, 0});
            return text;
        };
        if (digit()) {
            std::string name = source_name();
            return good_ ? with_arguments({std::move(name), 1}) : fail();
        }
        if (c >= 'a' && c <= 'z' && c != 'r' && c != 'u') {
            ++at_;
            return std::string(1, c);
        }
        switch (c) {
        case 'r':
        case 'V':
        case 'K': {
            std::string s;
            while (peek() == 'r' || peek() == 'V' || peek() == 'K') s += in_[at_++];
            return kept(s + type());
        }
        case 'P':
        case 'R':
        case 'O': ++at_; return kept(std::string(1, c) + type());
        case 'A': {
            std::string s(1, in_[at_++]);
            while (digit()) s += in_[at_++];
            if (peek() != '_') return fail();
            ++at_;
            return kept(s + "_" + type());
        }
        case 'M': {
            ++at_;
            std::string of = type();
            return kept("M" + of + type());
        }
        case 'F': {
            ++at_;
            std::string s = "F";
            while (good_ && peek() != 'E') s += type();
            ++at_;
            return kept(s + "E");
        }
        case 'D': {
            const char second = peek(1);
            if (second == 'p') {
                at_ += 2;
                return kept("Dp" + type());
            }
            if (second == 'n' || second == 'i' || second == 's' || second == 'u' || second == 'h') {
                at_ += 2;
                return {'D', second};
            }
            return fail();
        }
        case 'T': return with_arguments({template_parameter(), 1});
        case 'N': return nested_name();
        case 'S': {
            ++at_;
            if (peek() == 't') {
                ++at_;
                std::string name = source_name();
                return good_ ? with_arguments({"St" + name, 1}) : fail();
            }
            if (peek() != '\0' && std::string_view{"absiod"}.find(peek()) != std::string_view::npos) {
                component abbreviation{std::string{"S"} + peek(), 1};
                ++at_;
                if (peek() != 'I') return abbreviation.text;
                abbreviation.text += "I" + arguments(nullptr);
                abbreviation.instance = true;
                if (good_) keep(abbreviation);
                return abbreviation.text;
            }
            const component* const known = substitution();
            if (known == nullptr) return fail();
            component found = *known;
            if (peek() == 'I') {
                if (found.parts == 0 || found.instance) return fail();
                found.text += "I" + arguments(nullptr);
                found.instance = true;
                if (good_) keep(found);
            }
            return found.type();
        }
        default: return fail();
        }
    }

    /// Whether the library would make that very symbol of the parts: the proof that they were read right.
    bool spells(const taken_apart& parts) const {
        constexpr std::size_t room = 8192;
        std::size_t size = parts.name.size() + in_.size() + 64;
        std::vector<const char*> encodings;
        for (const std::vector<std::string>* list : {&parts.arguments, &parts.parameters})
            for (const std::string& e : *list) {
                encodings.push_back(e.c_str());
                size += 2 * e.size();
            }
        if (size >= room || (parts.is_template && parts.arguments.empty())) return false;
        const auto again =
            hanabi::detail::mangle<room>({parts.name.data(), parts.name.size()}, true, static_cast<unsigned>(parts.arguments.size()),
                                         encodings.data(), static_cast<unsigned>(encodings.size()));
        return in_ == std::string_view{again.data(), again.size()};
    }

    std::string_view in_;
    std::size_t at_ = 0;
    std::vector<component> known_;
    std::size_t spent_ = 0;
    unsigned depth_ = 0;
    bool good_ = true;
};

} // namespace tool

#endif
