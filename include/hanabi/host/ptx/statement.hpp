// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Reads the statements of a PTX function one after the other: guard, mnemonic, operands. Views into the text; nothing is
/// looked up.

#ifndef HANABI_HOST_PTX_STATEMENT_HPP
#define HANABI_HOST_PTX_STATEMENT_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace hanabi::host::ptx {

/// Kinds of operands. A sink is `_`; a list is one in round brackets.
enum class argument_kind : std::uint8_t { name, integer, real, single_bits, double_bits, memory, vector, list, sink };

/// One operand, as it is written.
struct argument {
    argument_kind kind = argument_kind::sink;
    bool negated = false;    ///< !p
    bool by_register = true; ///< of memory: `name` is given (else the offset is the address)
    std::string_view name;
    std::string_view second; ///< d|p
    std::uint64_t bits = 0;  ///< of a number
    double value = 0;        ///< of a real
    std::int64_t offset = 0;
    std::uint32_t first = 0, count = 0; ///< of vectors and lists: their elements
};

/// One instruction, as it is written.
struct statement {
    std::string_view guard;
    bool guard_not = false;
    std::string_view mnemonic;
    std::vector<argument> arguments, elements;
    std::uint32_t line = 0;
    bool strange = false; ///< an operand of a form that only instructions out of scope have
};

/// What the text can't be read for: thrown while a module is read, never out of it.
struct syntax_error {
    std::string what;
    std::uint32_t line;
};

/// Walks over the text. Counts lines as it goes.
class lexer {
  public:
    lexer(const char* first, const char* last) noexcept : at_{first}, end_{last} {}

    std::uint32_t line() const noexcept { return line_; }
    const char* position() const noexcept { return at_; }

    /// The next character that is neither space nor comment; NUL at the end.
    char peek() noexcept {
        for (; at_ != end_; ++at_) {
            const char c = *at_;
            if (c == '\n')
                ++line_;
            else if (c == '/' && end_ - at_ > 1 && at_[1] == '/') {
                const void* const stop = std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
                if (stop == nullptr) {
                    at_ = end_;
                    return '\0';
                }
                at_ = static_cast<const char*>(stop) - 1;
            } else if (c == '/' && end_ - at_ > 1 && at_[1] == '*') {
                for (at_ += 2; end_ - at_ > 1 && !(at_[0] == '*' && at_[1] == '/'); ++at_) line_ += *at_ == '\n';
                if (end_ - at_ <= 1) fail("a comment that is not closed");
                ++at_;
            } else if (c != ' ' && c != '\t' && c != '\r' && c != '\v' && c != '\f')
                return c;
        }
        return '\0';
    }
    bool at_end() noexcept { return peek() == '\0'; }
    /// Takes the character if it comes next.
    bool take(char c) noexcept {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void need(char c) {
        if (!take(c)) fail(std::string{"'"} + c + "' is expected");
    }
    /// Letters, digits, _ $ % and, inside, dots and pairs of colons: an identifier, number or mnemonic. What begins with a dot
    /// is a directive, which ends at the next one: `.reg.b16`.
    std::string_view word(bool dots = true) noexcept {
        const bool directive = peek() == '.';
        const char* const first = at_;
        if (directive) {
            ++at_;
            dots = false;
        }
        while (at_ != end_) {
            const char c = *at_;
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' ||
                (c == '.' && dots))
                ++at_;
            else if ((dots || directive) && c == ':' && end_ - at_ > 1 && at_[1] == ':')
                at_ += 2;
            else
                break;
        }
        return {first, static_cast<std::size_t>(at_ - first)};
    }
    /// A text in quotes, which come next.
    std::string_view quoted() {
        need('"');
        const char* const first = at_;
        while (at_ != end_ && *at_ != '"') at_ += *at_ == '\\' && end_ - at_ > 1 ? 2 : 1;
        if (at_ == end_) fail("a string that is not closed");
        return {first, static_cast<std::size_t>(at_++ - first)};
    }
    /// Skips to just after the character, which is outside of strings and comments.
    void skip_past(char c) {
        for (;;) {
            const char next = peek();
            if (next == '\0') fail(std::string{"'"} + c + "' is missing");
            if (next == '"') {
                quoted();
                continue;
            }
            ++at_;
            if (next == c) return;
        }
    }
    /// Skips a block, from just after its opening brace.
    void skip_block() {
        for (int depth = 1; depth != 0;) {
            const char next = peek();
            if (next == '\0') fail("a block that is not closed");
            if (next == '"') {
                quoted();
                continue;
            }
            depth += next == '{' ? 1 : next == '}' ? -1 : 0;
            ++at_;
        }
    }
    /// Skips what is left of the line.
    void skip_line() noexcept {
        while (at_ != end_ && *at_ != '\n') ++at_;
    }
    void rewind(const char* to, std::uint32_t line) noexcept {
        at_ = to;
        line_ = line;
    }
    [[noreturn]] void fail(std::string what) const { throw syntax_error{std::move(what), line_}; }

    /// A number that begins with a digit: into an argument.
    void number(argument& to) {
        const char* const first = at_;
        if (*at_ == '0' && end_ - at_ > 1 && (at_[1] == 'f' || at_[1] == 'F' || at_[1] == 'd' || at_[1] == 'D') &&
            hex_digits(at_ + 2) >= 8) {
            const bool single = at_[1] == 'f' || at_[1] == 'F';
            at_ += 2;
            to.bits = 0;
            for (int i = 0; i < (single ? 8 : 16) && at_ != end_; ++i, ++at_) to.bits = to.bits << 4 | digit(*at_);
            to.kind = single ? argument_kind::single_bits : argument_kind::double_bits;
            return;
        }
        const std::string_view text = word();
        if (text.find('.') != std::string_view::npos ||
            (text.size() > 1 && text[1] != 'x' && text[1] != 'X' && text.find_first_of("eE") != std::string_view::npos)) {
            std::string copy{text};
            if ((copy.back() == 'e' || copy.back() == 'E') && at_ != end_ && (*at_ == '-' || *at_ == '+')) {
                copy += *at_++;
                copy += word();
            }
            to.kind = argument_kind::real;
            to.value = std::strtod(copy.c_str(), nullptr);
            return;
        }
        to.kind = argument_kind::integer;
        std::uint64_t value = 0;
        unsigned base = 10;
        std::size_t i = 0;
        if (text.size() > 1 && text[0] == '0') {
            base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'b' || text[1] == 'B' ? 2 : 8;
            i = base == 8 ? 1 : 2;
        }
        for (; i < text.size(); ++i) {
            if (text[i] == 'U') continue;
            const unsigned d = digit(text[i]);
            if (d >= base) {
                at_ = first;
                fail("a number is expected");
            }
            value = value * base + d;
        }
        to.bits = value;
    }

    /// One operand.
    void operand_of(statement& s, argument& to) {
        to = {};
        const char c = peek();
        if (c == '[') {
            ++at_;
            memory(to);
            if (peek() == ',') { // textures, tensors
                s.strange = true;
                skip_past(']');
                return;
            }
            need(']');
            return;
        }
        if (c == '{' || c == '(') {
            ++at_;
            to.kind = c == '{' ? argument_kind::vector : argument_kind::list;
            std::vector<argument> parts;
            const char close = c == '{' ? '}' : ')';
            while (!take(close)) {
                argument part;
                operand_of(s, part);
                parts.push_back(part);
                if (!take(',') && peek() != close) fail("a list of operands that is not closed");
            }
            to.first = static_cast<std::uint32_t>(s.elements.size());
            to.count = static_cast<std::uint32_t>(parts.size());
            s.elements.insert(s.elements.end(), parts.begin(), parts.end());
            return;
        }
        bool minus = false;
        if (c == '-') {
            ++at_;
            minus = true;
        } else if (c == '!') {
            ++at_;
            to.negated = true;
        } else if (c == '~') {
            s.strange = true;
            ++at_;
        }
        const char begin = peek();
        if (begin >= '0' && begin <= '9') {
            number(to);
            if (minus) {
                to.value = -to.value;
                if (to.kind == argument_kind::integer) to.bits = ~to.bits + 1;
                if (to.kind == argument_kind::single_bits) to.bits ^= 0x80000000u;
                if (to.kind == argument_kind::double_bits) to.bits ^= std::uint64_t{1} << 63;
            }
            return;
        }
        to.kind = argument_kind::name;
        to.name = word();
        if (to.name.empty()) fail("an operand is expected");
        if (to.name == "_") to.kind = argument_kind::sink;
        if (take('|')) to.second = word();
        if (peek() == '+' || (peek() == '-')) to.offset = offset();
    }

    /// A whole instruction after its guard, up to and with the semicolon.
    void instruction_of(statement& s) {
        s.arguments.clear();
        s.elements.clear();
        s.strange = false;
        s.line = line_;
        while (!take(';')) {
            s.arguments.emplace_back();
            operand_of(s, s.arguments.back());
            if (!take(',') && peek() != ';') fail("';' is expected after the operands of " + std::string{s.mnemonic});
        }
    }

  private:
    static unsigned digit(char c) noexcept {
        if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
        if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
        return 99;
    }
    int hex_digits(const char* p) const noexcept {
        int n = 0;
        while (p != end_ && digit(*p) < 16) ++p, ++n;
        return n;
    }
    std::int64_t offset() {
        std::int64_t sum = 0;
        for (;;) {
            bool minus = false;
            if (take('+'))
                minus = take('-');
            else if (take('-'))
                minus = true;
            else
                return sum;
            argument n;
            const char c = peek();
            if (c < '0' || c > '9') fail("a number is expected");
            number(n);
            const auto value = static_cast<std::int64_t>(n.bits);
            sum += minus ? -value : value;
        }
    }
    void memory(argument& to) {
        to.kind = argument_kind::memory;
        const char c = peek();
        if ((c >= '0' && c <= '9') || c == '-') {
            const bool minus = take('-');
            argument n;
            peek();
            number(n);
            to.by_register = false;
            to.offset = minus ? -static_cast<std::int64_t>(n.bits) : static_cast<std::int64_t>(n.bits);
            return;
        }
        to.name = word();
        if (to.name.empty()) fail("an address is expected");
        to.offset = offset();
    }

    const char* at_;
    const char* end_;
    std::uint32_t line_ = 1;
};

} // namespace hanabi::host::ptx

#endif
