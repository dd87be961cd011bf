// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Arguments: every kind of parameter against every kind of argument, and the bytes that arrive. Containers of device
/// memory that are not the library's, too.

#define BOOST_TEST_MODULE argument
#include <boost/test/unit_test.hpp>

#include <hanabi/kernel.hpp>

#include <boost/hana/integral_constant.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace hanabi::literals;
namespace because = hanabi::because;
namespace hana = boost::hana;
using hanabi::argument_verdict;
using hanabi::device_ptr;

// ---- Containers of others -----------------------------------------------------------------------------------------------

namespace vendor {

/// An owner with its own ideas of pointers, as Thrust's device_vector has.
template <class T>
class device_vector {
  public:
    struct pointer {
        T* raw;
        T* get() const { return raw; }
    };
    struct const_pointer {
        const T* raw;
        const T* get() const { return raw; }
    };
    explicit device_vector(T* memory, std::size_t size) : memory_{memory}, size_{size} {}
    device_vector(device_vector&&) = delete;
    pointer data() { return {memory_}; }
    const_pointer data() const { return {memory_}; }
    std::size_t size() const { return size_; }

  private:
    T* memory_;
    std::size_t size_;
};

/// An owner.
template <class T>
struct device_array {
    T* memory = nullptr;
};

/// A view.
template <class T>
struct array_view {
    T* memory = nullptr;
};

/// A view whose device_data knows no const container.
struct writer {
    int* memory = nullptr;
};

} // namespace vendor

template <class T>
struct hanabi::device_data<vendor::device_vector<T>> {
    static hanabi::device_ptr<T> pointer(vendor::device_vector<T>& v) noexcept { return hanabi::device_ptr{v.data().get()}; }
    static hanabi::device_ptr<const T> pointer(const vendor::device_vector<T>& v) noexcept { return hanabi::device_ptr{v.data().get()}; }
    static std::size_t size(const vendor::device_vector<T>& v) noexcept { return v.size(); }
};
template <class T>
struct hanabi::device_data<vendor::device_array<T>> {
    static hanabi::device_ptr<T> pointer(vendor::device_array<T>& a) noexcept { return hanabi::device_ptr{a.memory}; }
    static hanabi::device_ptr<const T> pointer(const vendor::device_array<T>& a) noexcept { return hanabi::device_ptr<const T>{a.memory}; }
};
template <class T>
struct hanabi::device_data<vendor::array_view<T>> {
    static constexpr bool is_view = true;
    static hanabi::device_ptr<T> pointer(const vendor::array_view<T>& a) noexcept { return hanabi::device_ptr{a.memory}; }
};
template <>
struct hanabi::device_data<vendor::writer> {
    static hanabi::device_ptr<int> pointer(vendor::writer& w) noexcept { return hanabi::device_ptr{w.memory}; }
};

// As in their kernels' sources, so that the linker's names are the same.
struct Pair {
    int a;
    float b;
};
struct Iter {
    const float* p;
    explicit Iter(const float* q) : p{q} {}
    Iter(const Iter& other) : p{other.p} {}
};
template <>
inline constexpr bool hanabi::passes_bytewise<Iter> = true;

namespace {

enum plain { red, green };
enum other_plain { north };
enum class scoped : short { a = 3 };
enum class other_scoped : short { b };
struct pod {
    int a;
    float b;
};
struct same_as_pod {
    int a;
    float b;
};
struct derived : pod {};
struct from_anything {
    template <class T>
    from_anything(T) {}
};
struct to_int {
    operator int() const { return 1; }
};
struct incomplete;

/// y where a P takes the argument, n where it does not.
template <class A, class... P>
std::string row() {
    return std::string{(hanabi::detail::argument_fits<P, A> ? 'y' : 'n')...};
}
/// The same for an lvalue, a const one, and temporaries: of a value it does not matter. Else the difference.
template <class A, class... P>
std::string value_row() {
    const std::string r = row<A, P...>();
    for (const std::string& other : {row<A&, P...>(), row<const A&, P...>(), row<const A, P...>(), row<volatile A&, P...>()})
        if (other != r) return r + " but also " + other;
    return r;
}

template <class A>
std::string number_row() {
    return value_row<A, bool, char, signed char, unsigned char, short, int, unsigned, long, unsigned long, long long, unsigned long long,
                     float, double>();
}

} // namespace

// ---- Numbers --------------------------------------------------------------------------------------------------------------

static_assert(std::is_signed_v<char> && sizeof(long) == 8, "the tables below are for platforms where char is signed and long has 64 bits");

BOOST_AUTO_TEST_CASE(numbers_for_numbers) {
    // One letter for each of: bool, char, signed char, unsigned char, short, int, unsigned, long, unsigned long, long long,
    // unsigned long long, float, double.
    BOOST_TEST(number_row<bool>() == "ynnnnnnnnnnnn");
    BOOST_TEST(number_row<char>() == "nyynyynynynnn");
    BOOST_TEST(number_row<signed char>() == "nyynyynynynnn");
    BOOST_TEST(number_row<unsigned char>() == "nnnyyyyyyyynn");
    BOOST_TEST(number_row<short>() == "nnnnyynynynnn");
    BOOST_TEST(number_row<unsigned short>() == "nnnnnyyyyyynn");
    BOOST_TEST(number_row<int>() == "nnnnnynynynnn");
    BOOST_TEST(number_row<unsigned>() == "nnnnnnyyyyynn");
    BOOST_TEST(number_row<long>() == "nnnnnnnynynnn");
    BOOST_TEST(number_row<unsigned long>() == "nnnnnnnnynynn");
    BOOST_TEST(number_row<long long>() == "nnnnnnnynynnn");
    BOOST_TEST(number_row<unsigned long long>() == "nnnnnnnnynynn");
    BOOST_TEST(number_row<float>() == "nnnnnnnnnnnyy");
    BOOST_TEST(number_row<double>() == "nnnnnnnnnnnny");
    BOOST_TEST(number_row<long double>() == "nnnnnnnnnnnnn");
    // Nothing else is a number.
    const std::string none = "nnnnnnnnnnnnn";
    BOOST_TEST(number_row<plain>() == none);
    BOOST_TEST(number_row<scoped>() == none);
    BOOST_TEST(number_row<std::nullptr_t>() == none);
    BOOST_TEST(number_row<float*>() == none);
    BOOST_TEST(number_row<device_ptr<int>>() == none);
    BOOST_TEST(number_row<pod>() == none);
    BOOST_TEST(number_row<to_int>() == none); // what a conversion function loses, nobody knows
    BOOST_TEST(number_row<int[4]>() == none);
    BOOST_TEST(number_row<std::vector<int>>() == none);
}

template <class P, class A, class Because>
constexpr bool verdict_is = std::is_same_v<argument_verdict<P, A>, Because>;

static_assert(verdict_is<int, int&, because::it_fits> && verdict_is<int, const short, because::it_fits>);
static_assert(verdict_is<int, long, because::it_would_lose_values> && verdict_is<float, double&, because::it_would_lose_values>);
static_assert(verdict_is<std::size_t, int, because::it_would_lose_values> && verdict_is<float, int, because::it_would_lose_values>);
static_assert(verdict_is<int, bool, because::a_bool_is_not_a_number> && verdict_is<float, const bool&, because::a_bool_is_not_a_number>);
static_assert(verdict_is<bool, int, because::a_number_is_not_a_bool> && verdict_is<bool, double, because::a_number_is_not_a_bool>);
static_assert(verdict_is<int, plain, because::an_enumeration_is_not_a_number> &&
              verdict_is<int, scoped&, because::an_enumeration_is_not_a_number>);
static_assert(verdict_is<int, std::nullptr_t, because::a_pointer_is_not_a_number> &&
              verdict_is<unsigned long long, float*, because::a_pointer_is_not_a_number>);
static_assert(verdict_is<unsigned long long, device_ptr<float>, because::a_pointer_is_not_a_number> &&
              verdict_is<int, int (&)[3], because::a_pointer_is_not_a_number>);
static_assert(verdict_is<int, to_int, because::it_is_another_type> && verdict_is<bool, plain, because::it_is_another_type>);
static_assert(verdict_is<bool, float*, because::it_is_another_type> && verdict_is<int, pod&, because::it_is_another_type>);

// ---- Constants ------------------------------------------------------------------------------------------------------------

namespace {

template <class T, T Value>
using constant = std::integral_constant<T, Value>;

/// The extremes of P fit as constants of every type that has them, and what is beyond does not.
template <class P>
constexpr bool limits_are_right() {
    using limits = std::numeric_limits<P>;
    constexpr auto least = limits::min();
    constexpr auto most = limits::max();
    bool good = verdict_is<P, constant<P, least>, because::it_fits> && verdict_is<P, constant<P, most>, because::it_fits>;
    good = good && verdict_is<P, constant<unsigned long long, static_cast<unsigned long long>(most)>, because::it_fits>;
    if constexpr (std::is_signed_v<P>) {
        good = good && verdict_is<P, constant<long long, static_cast<long long>(least)>, because::it_fits>;
        if constexpr (sizeof(P) < 8) {
            good = good && verdict_is<P, constant<long long, static_cast<long long>(least) - 1>, because::the_constant_does_not_fit>;
            good = good && verdict_is<P, constant<long long, static_cast<long long>(most) + 1>, because::the_constant_does_not_fit>;
        } else
            good =
                good &&
                verdict_is<P, constant<unsigned long long, static_cast<unsigned long long>(most) + 1>, because::the_constant_does_not_fit>;
    } else {
        good = good && verdict_is<P, constant<int, -1>, because::the_constant_does_not_fit>;
        if constexpr (sizeof(P) < 8)
            good = good && verdict_is<P, constant<long long, static_cast<long long>(most) + 1>, because::the_constant_does_not_fit>;
    }
    // hana's constants and const objects are the same.
    good = good && verdict_is<P, hana::integral_constant<P, most>, because::it_fits> &&
           verdict_is<P, const hana::integral_constant<P, least>&, because::it_fits>;
    return good && verdict_is<P, std::true_type, because::a_bool_is_not_a_number>;
}
static_assert(limits_are_right<char>() && limits_are_right<signed char>() && limits_are_right<unsigned char>() &&
              limits_are_right<short>() && limits_are_right<unsigned short>() && limits_are_right<int>() && limits_are_right<unsigned>() &&
              limits_are_right<long>() && limits_are_right<unsigned long>() && limits_are_right<long long>() &&
              limits_are_right<unsigned long long>());

// A floating-point number takes those that it has.
static_assert(verdict_is<float, decltype(1024_c), because::it_fits> && verdict_is<float, decltype(16777216_c), because::it_fits>);
static_assert(verdict_is<float, decltype(16777217_c), because::the_constant_does_not_fit> &&
              verdict_is<float, decltype(16777218_c), because::it_fits>);
static_assert(verdict_is<double, decltype(16777217_c), because::it_fits> &&
              verdict_is<double, decltype(9007199254740993_c), because::the_constant_does_not_fit>);
static_assert(verdict_is<bool, std::true_type, because::it_fits> && verdict_is<bool, hana::true_, because::it_fits>);
static_assert(verdict_is<bool, decltype(1_c), because::a_number_is_not_a_bool> &&
              verdict_is<float, hana::false_, because::a_bool_is_not_a_number>);
static_assert(verdict_is<plain, decltype(0_c), because::a_number_is_not_an_enumeration> &&
              verdict_is<int, constant<plain, red>, because::it_is_another_type>);
static_assert(verdict_is<float*, decltype(0_c), because::an_integer_is_not_a_pointer__write_hanabi_device_ptr>);
static_assert(verdict_is<pod, decltype(0_c), because::it_is_another_type>);

// ---- Enumerations and structs: the same type and nothing else -----------------------------------------------------------------

static_assert(verdict_is<plain, plain, because::it_fits> && verdict_is<plain, const plain&, because::it_fits> &&
              verdict_is<scoped, scoped&, because::it_fits>);
static_assert(verdict_is<plain, other_plain, because::it_is_another_type> && verdict_is<scoped, other_scoped, because::it_is_another_type>);
static_assert(verdict_is<plain, int, because::a_number_is_not_an_enumeration> &&
              verdict_is<scoped, short, because::a_number_is_not_an_enumeration>);
static_assert(verdict_is<scoped, double, because::a_number_is_not_an_enumeration> &&
              verdict_is<scoped, std::nullptr_t, because::it_is_another_type>);
static_assert(verdict_is<pod, pod, because::it_fits> && verdict_is<pod, const pod&, because::it_fits> &&
              verdict_is<pod, const pod, because::it_fits>);
static_assert(verdict_is<pod, same_as_pod, because::it_is_another_type> &&
              verdict_is<pod, derived&, because::it_is_another_type>); // it would be sliced
static_assert(verdict_is<pod, int, because::it_is_another_type> && verdict_is<from_anything, int, because::it_is_another_type>);
static_assert(verdict_is<pod, pod[1], because::it_is_another_type> && verdict_is<pod, volatile pod&, because::it_is_volatile>);
static_assert(verdict_is<device_ptr<float>, device_ptr<float>&, because::it_fits> &&
              verdict_is<device_ptr<const float>, device_ptr<float>, because::it_is_another_type>);
static_assert(verdict_is<std::nullptr_t, std::nullptr_t, because::it_fits> &&
              verdict_is<std::nullptr_t, float*, because::it_is_another_type>);

// ---- Pointers -------------------------------------------------------------------------------------------------------------

template <class A>
std::string pointer_row() {
    return row<A, float*, const float*, volatile float*, const volatile float*, int*, void*, const void*, float**, float* const*,
               const float* const*, pod*, const incomplete*>();
}

} // namespace

BOOST_AUTO_TEST_CASE(device_memory_for_pointers) {
    // One letter for each of the parameters of pointer_row.
    BOOST_TEST(pointer_row<device_ptr<float>>() == "yyyynnnnnnnn");
    BOOST_TEST(pointer_row<device_ptr<float>&>() == "yyyynnnnnnnn");
    BOOST_TEST(pointer_row<const device_ptr<float>&>() == "yyyynnnnnnnn");
    BOOST_TEST(pointer_row<device_ptr<const float>>() == "nynynnnnnnnn");
    BOOST_TEST(pointer_row<device_ptr<volatile float>>() == "nnyynnnnnnnn");
    BOOST_TEST(pointer_row<device_ptr<const volatile float>>() == "nnnynnnnnnnn");
    BOOST_TEST(pointer_row<device_ptr<int>>() == "nnnnynnnnnnn");
    BOOST_TEST(pointer_row<device_ptr<unsigned>>() == "nnnnnnnnnnnn");
    BOOST_TEST(pointer_row<device_ptr<void>>() == "nnnnnyynnnnn");
    BOOST_TEST(pointer_row<device_ptr<const void>>() == "nnnnnnynnnnn");
    BOOST_TEST(pointer_row<device_ptr<float*>>() == "nnnnnnnyyynn");
    BOOST_TEST(pointer_row<device_ptr<const float*>>() == "nnnnnnnnnynn");
    BOOST_TEST(pointer_row<device_ptr<pod>>() == "nnnnnnnnnnyn");
    BOOST_TEST(pointer_row<device_ptr<derived>>() == "nnnnnnnnnnnn"); // adds no qualifier: converts
    BOOST_TEST(pointer_row<device_ptr<incomplete>>() == "nnnnnnnnnnny");
    BOOST_TEST(pointer_row<std::nullptr_t>() == "yyyyyyyyyyyy");
    BOOST_TEST(pointer_row<const std::nullptr_t&>() == "yyyyyyyyyyyy");

    // An owner gives what its constness gives, and is no temporary; a view may be one.
    BOOST_TEST(pointer_row<vendor::device_array<float>&>() == "yyyynnnnnnnn");
    BOOST_TEST(pointer_row<const vendor::device_array<float>&>() == "nynynnnnnnnn");
    BOOST_TEST(pointer_row<vendor::device_array<float>>() == "nnnnnnnnnnnn");
    BOOST_TEST(pointer_row<const vendor::device_array<float>>() == "nnnnnnnnnnnn");
    BOOST_TEST(pointer_row<vendor::device_vector<float>&>() == "yyyynnnnnnnn");
    BOOST_TEST(pointer_row<const vendor::device_vector<float>&>() == "nynynnnnnnnn");
    BOOST_TEST(pointer_row<vendor::array_view<float>>() == "yyyynnnnnnnn");
    BOOST_TEST(pointer_row<const vendor::array_view<float>&>() == "yyyynnnnnnnn");
    BOOST_TEST(pointer_row<vendor::array_view<const float>>() == "nynynnnnnnnn");
    BOOST_TEST(pointer_row<vendor::writer&>() == "nnnnynnnnnnn");
    BOOST_TEST(pointer_row<const vendor::writer&>() == "nnnnnnnnnnnn");

    // Nothing else is device memory.
    for (const std::string& none : {pointer_row<float*>(), pointer_row<const float*&>(), pointer_row<void*>(), pointer_row<float(&)[4]>(),
                                    pointer_row<const char(&)[5]>(), pointer_row<int>(), pointer_row<unsigned long long&>(),
                                    pointer_row<std::uintptr_t>(), pointer_row<bool>(), pointer_row<double>(), pointer_row<plain>(),
                                    pointer_row<decltype(0_c)>(), pointer_row<std::vector<float>&>(), pointer_row<std::array<float, 4>&>(),
                                    pointer_row<std::string>(), pointer_row<pod>(), pointer_row<pod**>(), pointer_row<void (*)()>()})
        BOOST_TEST(none == "nnnnnnnnnnnn");
}

static_assert(verdict_is<float*, float*, because::it_may_be_a_host_pointer__write_hanabi_device_ptr>);
static_assert(verdict_is<const float*, float (&)[4], because::it_may_be_a_host_pointer__write_hanabi_device_ptr>);
static_assert(verdict_is<const char*, const char (&)[5], because::it_may_be_a_host_pointer__write_hanabi_device_ptr>);
static_assert(verdict_is<float*, unsigned long long, because::an_integer_is_not_a_pointer__write_hanabi_device_ptr>);
static_assert(verdict_is<float*, int, because::an_integer_is_not_a_pointer__write_hanabi_device_ptr>);
static_assert(verdict_is<float*, double, because::it_is_another_type> && verdict_is<float*, scoped, because::it_is_another_type>);
static_assert(verdict_is<float*, std::vector<float>&, because::it_is_not_device_memory> &&
              verdict_is<pod*, pod&, because::it_is_not_device_memory>);
static_assert(verdict_is<float*, device_ptr<const float>, because::it_drops_const> &&
              verdict_is<float*, const vendor::device_array<float>&, because::it_drops_const>);
static_assert(verdict_is<float*, device_ptr<int>, because::it_points_to_another_type> &&
              verdict_is<void*, device_ptr<int>, because::it_points_to_another_type>);
static_assert(verdict_is<pod*, device_ptr<derived>, because::it_points_to_another_type>);
static_assert(verdict_is<float*, vendor::device_array<float>, because::a_temporary_owner_would_be_gone>);
static_assert(verdict_is<void (*)(), void (*)(), because::it_may_be_a_host_pointer__write_hanabi_device_ptr>);

// ---- What arrives ---------------------------------------------------------------------------------------------------------

namespace {

template <class P>
inline constexpr hanabi::kernel<"m", "k", void(char, P)> with_a;

/// The bytes of the last argument of a launch of with_a<P>.
template <class P, class A>
P arrives(A&& argument) {
    const auto e = with_a<P>[hanabi::over(1)]('x', static_cast<A&&>(argument));
    P p;
    std::memcpy(&p, e.arguments.bytes + decltype(e)::kernel_type::layout.parameters[1].offset, sizeof p);
    return p;
}

unsigned arrived = 0;

/// Where accepts_v says that it compiles, it compiles, and the value is the same.
template <class P, class A>
void check_value(A value) {
    using kernel = decltype(with_a<P>);
    if constexpr (hanabi::accepts_v<kernel, char, A&>) {
        const A& constant = value;
        volatile A changing = value;
        BOOST_TEST((arrives<P>(value) == static_cast<P>(value)));
        BOOST_TEST((arrives<P>(constant) == static_cast<P>(value)));
        BOOST_TEST((arrives<P>(A{value}) == static_cast<P>(value)));
        BOOST_TEST((arrives<P>(changing) == static_cast<P>(value)));
        ++arrived;
    }
}
template <class P>
void check_values() {
    check_value<P>(true);
    check_value<P>('q');
    check_value<P>(static_cast<signed char>(-3));
    check_value<P>(static_cast<unsigned char>(200));
    check_value<P>(static_cast<short>(-30000));
    check_value<P>(-2000000000);
    check_value<P>(4000000000u);
    check_value<P>(-(1l << 40));
    check_value<P>(~0ul);
    check_value<P>(1ll << 40);
    check_value<P>(~0ull);
    check_value<P>(2.5f);
    check_value<P>(1e300);
}

} // namespace

BOOST_AUTO_TEST_CASE(numbers_arrive_whole) {
    check_values<bool>();
    check_values<char>();
    check_values<signed char>();
    check_values<unsigned char>();
    check_values<short>();
    check_values<int>();
    check_values<unsigned>();
    check_values<long>();
    check_values<unsigned long>();
    check_values<long long>();
    check_values<unsigned long long>();
    check_values<float>();
    check_values<double>();
    BOOST_TEST(arrived == 44u); // the y of the table above, unsigned short aside

    BOOST_TEST(arrives<int>(7_c) == 7);
    BOOST_TEST(arrives<unsigned char>(255_c) == 255);
    BOOST_TEST(arrives<float>(1024_c) == 1024.0f);
    BOOST_TEST(arrives<short>(hana::short_c<-5>) == -5);
    BOOST_TEST(arrives<std::size_t>(18446744073709551615_c) == ~std::size_t{0});
    BOOST_TEST(arrives<bool>(std::true_type{}));
    BOOST_TEST((arrives<plain>(green) == green));
    BOOST_TEST((arrives<scoped>(scoped::a) == scoped::a));
    const pod p = arrives<pod>(pod{7, 2.5f});
    BOOST_TEST(p.a == 7);
    BOOST_TEST(p.b == 2.5f);
}

BOOST_AUTO_TEST_CASE(addresses_arrive) {
    float memory[4] = {};
    const device_ptr<float> at{memory + 1};
    BOOST_TEST(arrives<float*>(at) == memory + 1);
    BOOST_TEST(arrives<const float*>(at) == memory + 1);
    BOOST_TEST(arrives<const volatile float*>(at + 1) == memory + 2);
    BOOST_TEST(arrives<float*>(nullptr) == nullptr);
    BOOST_TEST(arrives<void*>(device_ptr<void>{memory}) == memory);
    BOOST_TEST(arrives<const float*>(device_ptr<const float>{reinterpret_cast<unsigned long long>(memory)}) == memory);
    BOOST_TEST((arrives<std::nullptr_t>(nullptr) == nullptr));

    vendor::device_vector<float> vector{memory, 4};
    const auto& read_only = vector;
    BOOST_TEST(arrives<float*>(vector) == memory);
    BOOST_TEST(arrives<const float*>(read_only) == memory);
    vendor::device_array<float> array{memory + 2};
    BOOST_TEST(arrives<const float*>(array) == memory + 2);
    BOOST_TEST(arrives<float*>(vendor::array_view<float>{memory + 3}) == memory + 3);
    int integers[1];
    vendor::writer writer{integers};
    BOOST_TEST(arrives<int*>(writer) == integers);
}

// Case 05: prvalues, conversions and a struct temporary, at nvcc's offsets.
BOOST_AUTO_TEST_CASE(converted_arguments_own_their_bytes) {
    static constexpr hanabi::kernel<"m", hanabi::cxx("mixed"), void(signed char, unsigned, long long, Pair, float, double*)> mixed;
    static_assert(mixed.symbol == "_Z5mixedajx4PairfPd");
    double out = 0;
    for (int i = 0; i < 3; ++i) {
        const auto e = mixed[hanabi::over(1)](std::int8_t{-3}, 2u, 1ll << 40, Pair{7, 2.5f}, 1.0f, device_ptr{&out});
        volatile char noise[256];
        for (volatile char& c : noise) c = static_cast<char>(0xa5);
        const std::byte* bytes = e.arguments.bytes;
        const auto at = [bytes]<class T>(std::size_t offset, T) {
            T t;
            std::memcpy(&t, bytes + offset, sizeof t);
            return t;
        };
        static_assert(sizeof e.arguments == 40);
        BOOST_TEST(static_cast<int>(at(0, std::int8_t{})) == -3);
        BOOST_TEST(at(4, 0u) == 2u);
        BOOST_TEST(at(8, 0ll) == 1ll << 40);
        BOOST_TEST(at(16, Pair{}).a == 7);
        BOOST_TEST(at(16, Pair{}).b == 2.5f);
        BOOST_TEST(at(24, 0.0f) == 1.0f);
        BOOST_TEST(at(32, static_cast<double*>(nullptr)) == &out);
    }
}

// Case 03: widened before it is stored.
BOOST_AUTO_TEST_CASE(an_unsigned_is_widened_to_size_t) {
    static constexpr hanabi::kernel<"m", "fill", void(float*, float, std::size_t)> fill;
    const unsigned n = 100;
    const auto e = fill[hanabi::over(n)](nullptr, 1.0f, n);
    const unsigned char expected[] = {0x64, 0, 0, 0, 0, 0, 0, 0};
    BOOST_TEST(std::memcmp(e.arguments.bytes + 16, expected, 8) == 0);
}

// ---- Structs of every alignment and size -------------------------------------------------------------------------------------

namespace {

template <std::size_t N>
struct alignas(N) over_aligned {
    unsigned char v[N];
};
struct big {
    unsigned char v[4096];
};

template <std::size_t N>
void check_aligned() {
    static constexpr hanabi::kernel<"m", "k", void(char, over_aligned<N>, char)> k;
    over_aligned<N> value;
    for (std::size_t i = 0; i < N; ++i) value.v[i] = static_cast<unsigned char>(i + 1);
    const auto e = k[hanabi::over(1)]('a', value, 'b');
    const auto copy = e;
    for (const auto* one : {&e, &copy}) {
        const std::byte* at = one->arguments.bytes;
        BOOST_TEST(reinterpret_cast<std::uintptr_t>(at) % N == 0u);
        BOOST_TEST(decltype(e)::kernel_type::layout.parameters[1].offset == N);
        BOOST_TEST(std::memcmp(at + N, value.v, N) == 0);
        BOOST_TEST(static_cast<char>(at[0]) == 'a');
        BOOST_TEST(static_cast<char>(at[2 * N]) == 'b');
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(over_aligned_structs_lie_at_their_alignment) {
    check_aligned<16>();
    check_aligned<32>();
    check_aligned<64>();
    check_aligned<128>();
}

BOOST_AUTO_TEST_CASE(four_kib_in_one_parameter) {
    static constexpr hanabi::kernel<"m", "k", void(int, big)> k;
    big value;
    for (std::size_t i = 0; i < sizeof value.v; ++i) value.v[i] = static_cast<unsigned char>(i * 7);
    const auto e = k[hanabi::over(1)](5, value);
    BOOST_TEST(std::memcmp(e.arguments.bytes + 4, value.v, sizeof value.v) == 0);
}

BOOST_AUTO_TEST_CASE(an_opted_in_type_passes_by_its_bytes) {
    static constexpr hanabi::kernel<"m", hanabi::cxx("by_iter"), void(Iter, float*)> by_iter;
    static_assert(by_iter.symbol == "_Z7by_iter4IterPf");
    float memory[1] = {};
    const Iter iterator{memory};
    const auto e = by_iter[hanabi::over(1)](iterator, nullptr);
    const float* p;
    std::memcpy(&p, e.arguments.bytes, sizeof p);
    BOOST_TEST(p == memory);
    BOOST_TEST((hanabi::accepts_v<decltype(by_iter), Iter, std::nullptr_t>));
}
