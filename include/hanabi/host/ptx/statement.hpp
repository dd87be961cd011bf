// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Reads the statements of a PTX function one after the other: guard, mnemonic, operands. Views into the text; nothing is
/// looked up.

#ifndef HANABI_HOST_PTX_STATEMENT_HPP
#define HANABI_HOST_PTX_STATEMENT_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hanabi::host::ptx {

/// Kinds of operands. A sink is `_`; a list is one in round brackets; an element is a[2] or a[r], of an array.
enum class argument_kind : std::uint8_t { name, integer, real, single_bits, double_bits, memory, vector, list, sink, element };

/// One operand, as it is written.
struct argument {
    argument_kind kind = argument_kind::sink;
    bool negated = false;      ///< !p, and -r where an instruction allows it
    bool by_register = true;   ///< of memory: `name` is given (else the offset is the address)
    bool without_sign = false; ///< of an integer: it was written as unsigned
    std::string_view name;
    std::string_view second; ///< d|p; of an element: the register that is its index, with `offset` added
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
    bool indexed = false; ///< an operand is an element
};

/// What the text can't be read for: thrown while a module is read, never out of it.
struct syntax_error {
    std::string what;
    std::uint32_t line;
};

/// What a character is to the lexer. A table, since each character of a module is looked at once or twice.
enum class letter : std::uint8_t { other, of_word, space };
struct letter_table {
    letter of[256]{};

    constexpr letter_table() noexcept {
        for (int c = '0'; c <= '9'; ++c) of[c] = letter::of_word;
        for (int c = 'a'; c <= 'z'; ++c) of[c] = of[c - 'a' + 'A'] = letter::of_word;
        for (const int c : {'_', '$', '%'}) of[c] = letter::of_word;
        for (const int c : {' ', '\t', '\r', '\v', '\f'}) of[c] = letter::space;
    }
    constexpr letter operator[](char c) const noexcept { return of[static_cast<unsigned char>(c)]; }
};
inline constexpr letter_table letters;

/// Walks over the text. Counts lines as it goes.
class lexer {
  public:
    lexer(const char* first, const char* last) noexcept : at_{first}, end_{last} {}

    std::uint32_t line() const noexcept { return line_; }
    const char* position() const noexcept { return at_; }

    /// While something is read that may hold another of its kind: a text must not use up the stack.
    class nesting {
      public:
        explicit nesting(lexer& of) : of_{of} {
            if (++of_.depth_ > 256) of_.fail("more than 256 levels of brackets or operators");
        }
        ~nesting() { --of_.depth_; }
        nesting(const nesting&) = delete;
        nesting& operator=(const nesting&) = delete;

      private:
        lexer& of_;
    };

    /// The next character that is neither space nor comment; NUL at the end.
    char peek() {
        if (at_ != end_ && *at_ == ' ') ++at_;
        return at_ != end_ && *at_ > ' ' && *at_ != '/' ? *at_ : after_spaces(); // mostly the first
    }
    bool at_end() { return peek() == '\0'; }
    /// Takes the character if it comes next.
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void need(char c) {
        if (!take(c)) fail(std::string{"'"} + c + "' is expected");
    }
    /// Letters, digits, _ $ % and, inside, dots and pairs of colons: an identifier, number or mnemonic. What begins with a dot
    /// is a directive, which ends at the next one: `.reg.b16`.
    std::string_view word(bool dots = true) {
        const bool directive = peek() == '.';
        const char* const first = at_;
        const char* at = directive ? first + 1 : first;
        const bool inner_dots = dots && !directive;
        for (;; ++at) {
            while (at != end_ && letters[*at] == letter::of_word) ++at;
            if (at == end_) break;
            if (*at == '.' && inner_dots) continue;
            if (*at != ':' || !(dots || directive) || end_ - at < 2 || at[1] != ':') break;
            ++at;
        }
        at_ = at;
        return {first, static_cast<std::size_t>(at - first)};
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
    /// Skips what is left of the line; what that is.
    std::string_view skip_line() noexcept {
        const char* const first = at_;
        while (at_ != end_ && *at_ != '\n') ++at_;
        return {first, static_cast<std::size_t>(at_ - first)};
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
        std::uint64_t plain = 0; // most are a few decimal digits
        const char* at = first;
        for (; at != end_ && at - first < 19 && *at >= '0' && *at <= '9'; ++at) plain = plain * 10 + digit(*at);
        if (at != first && at != end_ && (*first != '0' || at - first == 1) && letters[*at] != letter::of_word && *at != '.' &&
            *at != ':') {
            to.kind = argument_kind::integer;
            to.bits = plain;
            at_ = at;
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
            if (text[i] == 'U') {
                to.without_sign = true;
                continue;
            }
            const unsigned d = digit(text[i]);
            if (d >= base) {
                at_ = first;
                fail("a number is expected");
            }
            value = value * base + d;
        }
        to.bits = value;
    }

    /// One operand, into a new argument.
    void operand_of(statement& s, argument& to) {
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
        if (c == '{' || (c == '(' && s.mnemonic.starts_with("call"))) {
            const nesting level{*this};
            ++at_;
            to.kind = c == '{' ? argument_kind::vector : argument_kind::list;
            const std::size_t before = parts_.size();
            const char close = c == '{' ? '}' : ')';
            while (!take(close)) {
                argument part;
                operand_of(s, part);
                parts_.push_back(part);
                if (!take(',') && peek() != close) fail("a list of operands that is not closed");
            }
            to.first = static_cast<std::uint32_t>(s.elements.size());
            to.count = static_cast<std::uint32_t>(parts_.size() - before);
            s.elements.insert(s.elements.end(), parts_.begin() + static_cast<std::ptrdiff_t>(before), parts_.end());
            parts_.resize(before);
            return;
        }
        if (c >= '0' && c <= '9') {
            number(to);
            if (const char next = peek(); next != ',' && next != ';' && next != '}') to = expression(to, 0);
            return;
        }
        if (c == '-' || c == '!' || c == '~' || c == '(' || c == '.' || c == '+' || (c == 'W' && at_warp_size())) {
            const char* const begin = at_;
            const std::uint32_t line = line_;
            ++at_;
            const char next = peek();
            const bool of_name = (c == '-' || c == '!') && next != '(' && next != '-' && next != '~' && next != '!' && next != '.' &&
                                 !(next >= '0' && next <= '9') && !at_warp_size();
            if (!of_name) {
                rewind(begin, line);
                to = expression(term(), 0);
                return;
            }
            to.negated = true;
        }
        to.kind = argument_kind::name;
        to.name = name();
        if (to.name.empty()) fail("an operand is expected");
        if (to.name == "_") to.kind = argument_kind::sink;
        if (take('[')) {
            element(to);
            s.indexed = true;
            return;
        }
        char next = peek();
        if (next == '|') {
            ++at_;
            to.second = word();
            next = peek();
        }
        if (next == '+' || next == '-') to.offset = offset();
    }

    /// A whole instruction after its guard, up to and with the semicolon.
    void instruction_of(statement& s) {
        s.arguments.clear();
        s.elements.clear();
        s.strange = s.indexed = false;
        s.line = line_;
        while (!take(';')) {
            s.arguments.emplace_back();
            operand_of(s, s.arguments.back());
            if (!take(',') && peek() != ';') fail("';' is expected after the operands of " + std::string{s.mnemonic});
        }
    }

    /// What a constant expression begins with: a number, a sign, something in brackets, the size of a warp.
    argument term() {
        const nesting level{*this};
        const char c = peek();
        argument out;
        if ((c >= '0' && c <= '9') || c == '.') {
            if (c == '.' && (end_ - at_ < 2 || at_[1] < '0' || at_[1] > '9')) fail("a number is expected");
            number(out);
            return out;
        }
        if (c == '(') {
            ++at_;
            if (peek() == '.' && end_ - at_ > 1 && (at_[1] == 's' || at_[1] == 'u')) { // (.s64), (.u64)
                const bool without_sign = at_[1] == 'u';
                word();
                need(')');
                out = term();
                out.without_sign = without_sign;
                return out;
            }
            out = expression(term(), 0);
            need(')');
            return out;
        }
        if (c == '+' || c == '-' || c == '~' || c == '!') {
            ++at_;
            out = term();
            if (c == '-') {
                out.value = -out.value;
                if (out.kind == argument_kind::integer) out.bits = ~out.bits + 1;
                if (out.kind == argument_kind::single_bits) out.bits ^= 0x80000000u;
                if (out.kind == argument_kind::double_bits) out.bits ^= std::uint64_t{1} << 63;
            } else if (c == '~')
                out.bits = ~out.bits;
            else if (c == '!') {
                out.bits = out.kind == argument_kind::real ? out.value == 0 : out.bits == 0;
                out.kind = argument_kind::integer;
            }
            return out;
        }
        if (word() != "WARP_SZ") fail("a number is expected");
        out.kind = argument_kind::integer;
        out.bits = 32;
        return out;
    }
    /// The rest of a constant expression whose first term is `left`, with operators of this level and those that bind
    /// tighter: 0 is ?:, 10 is * / %. PTX manual, "Constant Expressions".
    argument expression(argument left, int lowest) {
        for (;;) {
            const char c = peek(), next = end_ - at_ > 1 ? at_[1] : '\0';
            const bool twice = c == next && (c == '|' || c == '&' || c == '<' || c == '>');
            const bool equal = next == '=' && (c == '=' || c == '!' || c == '<' || c == '>');
            const int level = c == '?'                           ? 0
                              : c == '|'                         ? (twice ? 1 : 3)
                              : c == '&'                         ? (twice ? 2 : 5)
                              : c == '^'                         ? 4
                              : equal && (c == '=' || c == '!')  ? 6
                              : c == '<' || c == '>'             ? (twice ? 8 : 7)
                              : c == '+' || c == '-'             ? 9
                              : c == '*' || c == '/' || c == '%' ? 10
                                                                 : -1;
            if (level < lowest || level < 0) return left;
            at_ += twice || equal ? 2 : 1;
            const nesting deeper{*this};
            if (c == '?') {
                const argument yes = expression(term(), 0);
                need(':');
                const argument no = expression(term(), 0);
                left = left.bits != 0 ? yes : no;
                continue;
            }
            left = combined(c, twice, equal, left, expression(term(), level + 1));
        }
    }

  private:
    /// The rest of peek.
    char after_spaces() {
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
            } else if (letters[c] != letter::space)
                return c;
        }
        return '\0';
    }
    /// A word that begins here. Most have neither dots nor colons.
    std::string_view name() {
        const char* at = at_;
        while (at != end_ && letters[*at] == letter::of_word) ++at;
        if (at == end_ || *at == '.' || *at == ':') return word();
        const std::string_view out{at_, static_cast<std::size_t>(at - at_)};
        at_ = at;
        return out;
    }
    /// Whether the name of a warp's size comes next, which begins constants only.
    bool at_warp_size() const noexcept {
        constexpr std::string_view name = "WARP_SZ";
        const auto left = static_cast<std::size_t>(end_ - at_);
        return left >= name.size() && std::string_view{at_, name.size()} == name &&
               (left == name.size() || letters[at_[name.size()]] == letter::other || letters[at_[name.size()]] == letter::space);
    }
    argument combined(char c, bool twice, bool equal, const argument& a, const argument& b) {
        argument out;
        if (a.kind != argument_kind::integer || b.kind != argument_kind::integer) {
            const auto value = [](const argument& x) {
                return x.kind == argument_kind::real          ? x.value
                       : x.kind == argument_kind::single_bits ? std::bit_cast<float>(static_cast<std::uint32_t>(x.bits))
                       : x.kind == argument_kind::double_bits ? std::bit_cast<double>(x.bits)
                                                              : static_cast<double>(static_cast<std::int64_t>(x.bits));
            };
            const double x = value(a), y = value(b);
            out.kind = argument_kind::real;
            switch (c) {
            case '+': out.value = x + y; return out;
            case '-': out.value = x - y; return out;
            case '*': out.value = x * y; return out;
            case '/': out.value = x / y; return out;
            default: break;
            }
            out.kind = argument_kind::integer;
            switch (c) {
            case '=': out.bits = x == y; break;
            case '!': out.bits = x != y; break;
            case '<': out.bits = equal ? x <= y : x < y; break;
            case '>': out.bits = equal ? x >= y : x > y; break;
            default: fail(std::string{"the operator '"} + c + "' on a real constant");
            }
            return out;
        }
        out.kind = argument_kind::integer;
        out.without_sign = a.without_sign || b.without_sign;
        const std::uint64_t x = a.bits, y = b.bits;
        const auto sx = static_cast<std::int64_t>(x), sy = static_cast<std::int64_t>(y);
        const bool sign = !out.without_sign;
        switch (c) {
        case '|': out.bits = twice ? x != 0 || y != 0 : x | y; break;
        case '&': out.bits = twice ? x != 0 && y != 0 : x & y; break;
        case '^': out.bits = x ^ y; break;
        case '=': out.bits = x == y; break;
        case '!': out.bits = x != y; break;
        case '+': out.bits = x + y; break;
        case '-': out.bits = x - y; break;
        case '*': out.bits = x * y; break;
        case '/':
        case '%':
            if (y == 0) fail("a constant divided by zero");
            if (sign && sy == -1)
                out.bits = c == '/' ? ~x + 1 : 0;
            else if (sign)
                out.bits = static_cast<std::uint64_t>(c == '/' ? sx / sy : sx % sy);
            else
                out.bits = c == '/' ? x / y : x % y;
            break;
        case '<':
            if (twice)
                out.bits = y < 64 ? x << y : 0;
            else
                out.bits = equal ? (sign ? sx <= sy : x <= y) : (sign ? sx < sy : x < y);
            break;
        default:
            if (twice)
                out.bits = a.without_sign ? (y < 64 ? x >> y : 0) : static_cast<std::uint64_t>(sx >> (y < 63 ? y : 63));
            else
                out.bits = equal ? (sign ? sx >= sy : x >= y) : (sign ? sx > sy : x > y);
            break;
        }
        return out;
    }
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
            argument by;
            if (const char c = peek(); c >= '0' && c <= '9') {
                number(by);
                if (const char next = peek(); next == '*' || next == '/' || next == '%') by = expression(by, 10);
            } else
                by = expression(term(), 10);
            const auto value = static_cast<std::int64_t>(by.bits);
            sum += minus ? -value : value;
        }
    }
    /// The index of an element, from just after its bracket.
    void element(argument& to) {
        to.kind = argument_kind::element;
        const char c = peek();
        if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '~' || c == '(')
            to.offset = static_cast<std::int64_t>(expression(term(), 0).bits);
        else {
            to.second = word();
            if (to.second.empty()) fail("an index is expected");
            to.offset = offset();
        }
        need(']');
    }
    void memory(argument& to) {
        to.kind = argument_kind::memory;
        const char c = peek();
        if ((c >= '0' && c <= '9') || c == '-' || c == '(') {
            to.by_register = false;
            to.offset = static_cast<std::int64_t>(expression(term(), 0).bits);
            return;
        }
        to.name = name();
        if (to.name.empty()) fail("an address is expected");
        to.offset = offset();
    }

    const char* at_;
    const char* end_;
    std::uint32_t line_ = 1;
    unsigned depth_ = 0;
    std::vector<argument> parts_; ///< of the lists that are open
};

} // namespace hanabi::host::ptx

#endif
