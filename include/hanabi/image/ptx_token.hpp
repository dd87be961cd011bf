// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// The tokens of PTX text. Written so that constant evaluation spends about one step a byte: loops with one statement,
/// and a table of character classes.

#ifndef HANABI_IMAGE_PTX_TOKEN_HPP
#define HANABI_IMAGE_PTX_TOKEN_HPP

#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace hanabi::image {

/// Kinds of tokens: a directive or type begins with a dot, punctuation is one character, bad is a byte that no PTX has.
enum class token_kind : std::uint8_t { end, word, directive, number, string, punctuation, bad };

/// One token; text lies in the scanned text, strings without their quotes.
struct token {
    token_kind kind = token_kind::end;
    slice text;

    constexpr bool is(char c) const noexcept { return kind == token_kind::punctuation && text.first[0] == c; }
    /// Whether this is the directive of that name, dot included.
    template <std::size_t N>
    constexpr bool is(const char (&name)[N]) const noexcept {
        if (text.length != N - 1) return false;
        for (std::size_t i = N - 1; i != 0; --i)
            if (text.first[i - 1] != name[i - 1]) return false;
        return true;
    }
};

namespace detail {

struct ptx_classes {
    static constexpr std::uint8_t space = 1;     ///< white space
    static constexpr std::uint8_t word = 2;      ///< part of an identifier or number
    static constexpr std::uint8_t digit = 4;     ///< 0 to 9
    static constexpr std::uint8_t body = 8;      ///< where skipping a body has to look closer
    static constexpr std::uint8_t list = 16;     ///< where skipping an initialiser has to look closer
    static constexpr std::uint8_t brackets = 32; ///< where skipping what is in brackets has to
    static constexpr std::uint8_t outside = 64;  ///< where looking for a kernel has to, outside of bodies
    std::uint8_t of[256]{};

    constexpr ptx_classes() noexcept {
        for (char c : {' ', '\t', '\r', '\n', '\v', '\f'}) of[static_cast<unsigned char>(c)] |= space;
        for (int c = '0'; c <= '9'; ++c) of[c] |= word | digit;
        for (int c = 'a'; c <= 'z'; ++c) of[c] |= word;
        for (int c = 'A'; c <= 'Z'; ++c) of[c] |= word;
        for (char c : {'_', '$', '%'}) of[static_cast<unsigned char>(c)] |= word;
        for (char c : {'{', '}', '"', '/', 'g', 'c', '\0'}) of[static_cast<unsigned char>(c)] |= body;
        for (char c : {'{', '}', '(', ')', '[', ']', '"', '/', ',', ';', '\0'}) of[static_cast<unsigned char>(c)] |= list;
        for (char c : {'{', '}', '(', ')', '[', ']', '"', '/', '\0'}) of[static_cast<unsigned char>(c)] |= brackets;
        for (char c : {'{', 'y', '"', '/', '\0'}) of[static_cast<unsigned char>(c)] |= outside;
    }
    constexpr bool has(char c, std::uint8_t mask) const noexcept { return (of[static_cast<unsigned char>(c)] & mask) != 0; }
};
inline constexpr ptx_classes ptx_class{};

/// The first character from p on that is of none of these classes; that is of one of them; that is c. Four characters a
/// turn, since compilers count the statements of constant evaluation.
constexpr const char* skip_class(const char* p, const char* last, std::uint8_t mask) noexcept {
    const std::uint8_t* const of = ptx_class.of;
    while (p != last && (of[static_cast<unsigned char>(*p)] & mask) != 0 && ++p != last &&
           (of[static_cast<unsigned char>(*p)] & mask) != 0 && ++p != last && (of[static_cast<unsigned char>(*p)] & mask) != 0 &&
           ++p != last && (of[static_cast<unsigned char>(*p)] & mask) != 0)
        ++p;
    return p;
}
constexpr const char* find_class(const char* p, const char* last, std::uint8_t mask) noexcept {
    const std::uint8_t* const of = ptx_class.of;
    while (p != last && (of[static_cast<unsigned char>(*p)] & mask) == 0 && ++p != last &&
           (of[static_cast<unsigned char>(*p)] & mask) == 0 && ++p != last && (of[static_cast<unsigned char>(*p)] & mask) == 0 &&
           ++p != last && (of[static_cast<unsigned char>(*p)] & mask) == 0)
        ++p;
    return p;
}
constexpr const char* find_character(const char* p, const char* last, char c) noexcept {
    while (p != last && *p != c && ++p != last && *p != c && ++p != last && *p != c && ++p != last && *p != c) ++p;
    return p;
}

} // namespace detail

/// Reads tokens one after the other, and skips what needs no tokens. Never reads at or after the end it was given. The
/// first fault stops it: every later token is an end.
class ptx_tokens {
  public:
    constexpr ptx_tokens() = default;
    constexpr ptx_tokens(const char* text, const char* first, const char* last) noexcept : text_{text}, at_{first}, end_{last} {}

    /// Where the next token is looked for.
    constexpr const char* position() const noexcept { return at_; }
    constexpr void rewind(const char* position) noexcept { at_ = position; }
    constexpr fault error() const noexcept { return fault_; }
    constexpr std::size_t offset_of(const char* p) const noexcept { return static_cast<std::size_t>(p - text_); }

    /// Records the first fault and stops.
    constexpr void fail(const char* reason, const char* where) noexcept {
        if (!fault_) fault_ = {reason, offset_of(where)};
        at_ = end_;
    }

    constexpr token next() noexcept {
        skip_space();
        if (at_ == end_) return {};
        const char* const first = at_;
        const std::uint8_t traits = detail::ptx_class.of[static_cast<unsigned char>(*first)];
        if (*first == '.' || (traits & detail::ptx_classes::word) != 0) {
            ++at_;
            at_ = detail::skip_class(at_, end_, detail::ptx_classes::word);
            if (*first == '.') return {at_ - first > 1 ? token_kind::directive : token_kind::punctuation, cut(first)};
            if ((traits & detail::ptx_classes::digit) == 0) return {token_kind::word, cut(first)};
            // A fraction belongs to the number: the version is one.
            if (end_ - at_ > 1 && *at_ == '.' && detail::ptx_class.has(at_[1], detail::ptx_classes::digit)) {
                ++at_;
                at_ = detail::skip_class(at_, end_, detail::ptx_classes::digit);
            }
            return {token_kind::number, cut(first)};
        }
        if (*first == '"') {
            if (!skip_string()) return {};
            return {token_kind::string, {first + 1, static_cast<std::size_t>(at_ - first - 2)}};
        }
        const auto code = static_cast<unsigned char>(*first);
        if (code < 32 || code > 126) {
            fail(code == 0 ? "a NUL inside the text" : "a byte that PTX does not know", first);
            return {token_kind::bad, {first, 1}};
        }
        ++at_;
        return {token_kind::punctuation, {first, 1}};
    }

    constexpr token peek() noexcept {
        skip_space();
        const char* const here = at_;
        const token t = next();
        if (!fault_) at_ = here;
        return t;
    }

    /// Skips a list in brackets of any kind, from just after the opening one to just after its closing one.
    constexpr bool skip_brackets(const char* opening, const char* complaint) noexcept {
        std::size_t depth = 1;
        while (true) {
            at_ = detail::find_class(at_, end_, detail::ptx_classes::brackets);
            if (at_ == end_) break;
            switch (*at_) {
            case '(':
            case '[':
            case '{':
                ++depth;
                ++at_;
                break;
            case ')':
            case ']':
            case '}':
                ++at_;
                if (--depth == 0) return true;
                break;
            case '"':
                if (!skip_string()) return false;
                break;
            case '/':
                if (!skip_comment()) ++at_;
                break;
            case '\0': fail("a NUL inside the text", at_); return false;
            default: ++at_; break;
            }
        }
        fail(complaint, opening);
        return false;
    }

    /// Skips an initialiser: up to the comma or semicolon that ends it.
    constexpr bool skip_initialiser() noexcept {
        const char* const first = at_;
        while (true) {
            at_ = detail::find_class(at_, end_, detail::ptx_classes::list);
            if (at_ == end_) break;
            switch (*at_) {
            case ',':
            case ';': return true;
            case '(':
            case '[':
            case '{': {
                const char* const opening = at_++;
                if (!skip_brackets(opening, "an initialiser that is not closed")) return false;
                break;
            }
            case '"':
                if (!skip_string()) return false;
                break;
            case '/':
                if (!skip_comment()) ++at_;
                break;
            case '\0': fail("a NUL inside the text", at_); return false;
            default: fail("a bracket that was never opened", at_); return false;
            }
        }
        fail("an initialiser without an end", first);
        return false;
    }

    /// Goes on to just after the next .entry outside of bodies; false where there is none.
    constexpr bool skip_to_entry() noexcept {
        while (true) {
            at_ = detail::find_class(at_, end_, detail::ptx_classes::outside);
            if (at_ == end_) return false;
            switch (*at_) {
            case 'y': // a rare character, that ends the word
                ++at_;
                if (at_ - text_ >= 6 && at_[-6] == '.' && at_[-5] == 'e' && at_[-4] == 'n' && at_[-3] == 't' && at_[-2] == 'r' &&
                    (at_ == end_ || !detail::ptx_class.has(*at_, detail::ptx_classes::word)))
                    return true;
                break;
            case '{': {
                const char* const opening = at_++;
                if (!skip_brackets(opening, "a body that is not closed")) return false;
                break;
            }
            case '"':
                if (!skip_string()) return false;
                break;
            case '/':
                if (!skip_comment()) ++at_;
                break;
            default: fail("a NUL inside the text", at_); return false;
            }
        }
    }

    /// What skipping a body noticed.
    struct body_facts {
        bool closed = false; ///< the closing brace is there
        bool waits = false;  ///< griddepcontrol.wait is among the instructions
        bool calls = false;  ///< so is a call
    };

    /// Skips a body, from just after its opening brace to just after the closing one, without reading instructions:
    /// what no assembler knows yet does not matter.
    constexpr body_facts skip_body(const char* opening) noexcept {
        body_facts facts;
        std::size_t depth = 1;
        while (true) {
            at_ = detail::find_class(at_, end_, detail::ptx_classes::body);
            if (at_ == end_) break;
            switch (*at_) {
            case 'g':
                if (!facts.waits && follows(at_, "griddepcontrol", 14)) {
                    at_ += 14;
                    if (peek().is(".wait")) facts.waits = true;
                } else
                    ++at_;
                break;
            case 'c':
                if (!facts.calls && follows(at_, "call", 4)) facts.calls = true;
                ++at_;
                break;
            case '{':
                ++depth;
                ++at_;
                break;
            case '}':
                ++at_;
                if (--depth == 0) {
                    facts.closed = true;
                    return facts;
                }
                break;
            case '"':
                if (!skip_string()) return facts;
                break;
            case '/':
                if (!skip_comment()) ++at_;
                break;
            default: fail("a NUL inside the text", at_); return facts;
            }
        }
        fail("a body that is not closed", opening);
        return facts;
    }

  private:
    constexpr slice cut(const char* first) const noexcept { return {first, static_cast<std::size_t>(at_ - first)}; }

    constexpr void skip_space() noexcept {
        if (at_ != end_ && !detail::ptx_class.has(*at_, detail::ptx_classes::space) && *at_ != '/') return;
        do {
            at_ = detail::skip_class(at_, end_, detail::ptx_classes::space);
        } while (at_ != end_ && *at_ == '/' && skip_comment());
    }

    /// At a slash: true when it began a comment, which is then behind us.
    constexpr bool skip_comment() noexcept {
        if (end_ - at_ < 2) return false;
        const char* const first = at_;
        if (at_[1] == '/') {
            at_ = detail::find_character(at_, end_, '\n');
            return true;
        }
        if (at_[1] != '*') return false;
        at_ += 2;
        while (end_ - at_ >= 2 && !(at_[0] == '*' && at_[1] == '/')) ++at_;
        if (end_ - at_ < 2)
            fail("a comment that is not closed", first);
        else
            at_ += 2;
        return true;
    }

    /// At a quote. There is no escape character, and a line end does not close a string (as ptxas has it).
    constexpr bool skip_string() noexcept {
        const char* const first = at_++;
        at_ = detail::find_character(at_, end_, '"');
        if (at_ == end_) {
            fail("a string that is not closed", first);
            return false;
        }
        ++at_;
        return true;
    }

    /// Whether the whole word at p, not the tail of another nor a modifier, is that one.
    constexpr bool follows(const char* p, const char* name, std::ptrdiff_t length) const noexcept {
        if (end_ - p < length || p[1] != name[1]) return false;
        if (p != text_ && (p[-1] == '.' || detail::ptx_class.has(p[-1], detail::ptx_classes::word))) return false;
        for (std::ptrdiff_t i = 2; i < length; ++i)
            if (p[i] != name[i]) return false;
        return end_ - p == length || !detail::ptx_class.has(p[length], detail::ptx_classes::word);
    }

    const char* text_ = nullptr;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    fault fault_{};
};

} // namespace hanabi::image

#endif
