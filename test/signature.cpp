// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Signatures: which types can be parameters, and how a list of them is laid out.

#define BOOST_TEST_MODULE signature
#include <boost/test/unit_test.hpp>

#include <hanabi/signature.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace because = hanabi::because;
using hanabi::parameter_kind;
using hanabi::parameter_verdict;
using hanabi::detail::kind_of;
using hanabi::detail::layout_of;

namespace {

struct pod {
    int a;
    float b;
};
struct of_array {
    float v[4];
};
enum class scoped : short { a };
enum plain { b };
union either {
    int i;
    float f;
};
struct opted_in {
    const float* p;
    opted_in(const opted_in& other) : p{other.p} {}
};
struct refused {
    const float* p;
    refused(const refused& other) : p{other.p} {}
};
struct polymorphic {
    virtual ~polymorphic();
    int a;
};
struct abstract {
    virtual void f() = 0;
};
struct nothing {};
struct later;
struct alignas(16) aligned_16 {
    float v[4];
};
struct alignas(128) aligned_128 {
    char v[128];
};

} // namespace

template <>
inline constexpr bool hanabi::passes_bytewise<opted_in> = true;

namespace {

template <class Because, class... P>
constexpr bool all = (std::is_same_v<parameter_verdict<P>, Because> && ...);

static_assert(all<because::it_is_fine, bool, char, signed char, unsigned char, short, int, unsigned, long, unsigned long, long long,
                  unsigned long long, float, double, wchar_t, char8_t, char16_t, char32_t, std::byte>);
static_assert(all<because::it_is_fine, pod, of_array, scoped, plain, either, nothing, aligned_16, aligned_128, float*, const float*,
                  float**, void*, later*, std::nullptr_t, void (*)(int), int pod::*>);
static_assert(all<because::it_is_fine, opted_in>);
static_assert(all<because::it_is_not_trivially_copyable, refused, std::string, std::vector<float>, std::unique_ptr<int>>);
static_assert(all<because::it_is_polymorphic, polymorphic, abstract>);
static_assert(all<because::it_is_a_reference, int&, const pod&, int&&, later&>);
static_assert(all<because::it_is_not_a_value, void, const void, void(int)>);
static_assert(all<because::it_is_an_array, int[4], int[]>);
static_assert(all<because::it_is_not_complete, later>);
static_assert(all<because::long_double_is_shorter_on_the_device, long double>);

static_assert(kind_of<bool>() == parameter_kind::boolean && kind_of<float>() == parameter_kind::floating_point &&
              kind_of<double>() == parameter_kind::floating_point);
static_assert(kind_of<int>() == parameter_kind::signed_integer && kind_of<long long>() == parameter_kind::signed_integer &&
              kind_of<signed char>() == parameter_kind::signed_integer);
static_assert(kind_of<unsigned>() == parameter_kind::unsigned_integer && kind_of<std::size_t>() == parameter_kind::unsigned_integer &&
              kind_of<unsigned char>() == parameter_kind::unsigned_integer && kind_of<char16_t>() == parameter_kind::unsigned_integer);
static_assert(kind_of<short*>() == parameter_kind::pointer && kind_of<void*>() == parameter_kind::pointer &&
              kind_of<std::nullptr_t>() == parameter_kind::pointer);
static_assert(kind_of<scoped>() == parameter_kind::enumeration && kind_of<plain>() == parameter_kind::enumeration);
static_assert(kind_of<pod>() == parameter_kind::object && kind_of<either>() == parameter_kind::object);

// Only void(P...) is a signature of a kernel.
template <class... F>
constexpr bool are_signatures = (hanabi::signature<F>::is_of_a_kernel && ...);
template <class... F>
constexpr bool are_none = (!hanabi::signature<F>::is_of_a_kernel && ...);
static_assert(are_signatures<void(), void(int), void(float, const float*, float*, int), void(int) noexcept>);
static_assert(are_none<int(), int, void, int&, void (*)(int), void (&)(int), void(int, ...), void(int) const, float(float) noexcept>);

// Where the parameters of shared cases lie, by nvcc.
template <std::size_t N>
constexpr bool lies(const hanabi::detail::layout<N>& l, const unsigned (&offsets)[N], std::size_t size, std::size_t alignment) {
    for (std::size_t i = 0; i < N; ++i)
        if (l.parameters[i].offset != offsets[i]) return false;
    return l.size == size && l.alignment == alignment;
}
static_assert(lies(layout_of<float, const float*, float*, int>, {0, 8, 16, 24}, 28, 8)); // no padding behind the last
static_assert(lies(layout_of<float*, const float*, int, int, int>, {0, 8, 16, 20, 24}, 28, 8));
static_assert(lies(layout_of<int, float*, int, float*, int, float>, {0, 8, 16, 24, 32, 36}, 40, 8));
static_assert(lies(layout_of<signed char, unsigned, long long, pod, float, double*>, {0, 4, 8, 16, 24, 32}, 40, 8));
static_assert(lies(layout_of<unsigned char, aligned_128, aligned_16>, {0, 128, 256}, 272, 128));
static_assert(lies(layout_of<nothing, nothing, char>, {0, 1, 2}, 3, 1));
static_assert(layout_of<>.size == 0 && layout_of<>.alignment == 1);

} // namespace

BOOST_AUTO_TEST_CASE(sizes_and_alignments_are_the_types) {
    const auto& l = layout_of<bool, double, pod, aligned_16>;
    BOOST_TEST(l.parameters[0].size == 1u);
    BOOST_TEST(l.parameters[1].size == sizeof(double));
    BOOST_TEST(l.parameters[1].alignment == alignof(double));
    BOOST_TEST(l.parameters[2].size == sizeof(pod));
    BOOST_TEST(l.parameters[3].alignment == 16u);
    BOOST_TEST(l.parameters[3].visit_fields == nullptr);
}

namespace {

struct described {
    int id;
    float weight;
};

struct seen {
    std::string names;
    float sum = 0;
};

} // namespace

template <>
struct hanabi::fields_of<described> {
    static void visit(const void* object, hanabi::field_visitor visitor, void* state) {
        const auto& d = *static_cast<const described*>(object);
        visitor(state, "id", hanabi::parameter_kind::signed_integer, sizeof d.id, &d.id);
        visitor(state, "weight", hanabi::parameter_kind::floating_point, sizeof d.weight, &d.weight);
    }
};

BOOST_AUTO_TEST_CASE(described_structs_are_visited) {
    const auto& p = layout_of<int, described>.parameters[1];
    BOOST_REQUIRE(p.visit_fields != nullptr);
    const described d{3, 2.5f};
    seen s;
    p.visit_fields(
        &d,
        [](void* state, hanabi::name_view name, parameter_kind kind, std::size_t size, const void* value) {
            auto& to = *static_cast<seen*>(state);
            to.names.append(name.data(), name.size()).append(" ");
            if (kind == parameter_kind::floating_point && size == sizeof(float))
                to.sum += *static_cast<const float*>(value);
            else
                to.sum += static_cast<float>(*static_cast<const int*>(value));
        },
        &s);
    BOOST_TEST(s.names == "id weight ");
    BOOST_TEST(s.sum == 5.5f);
}
