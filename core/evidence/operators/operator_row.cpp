#include "core/evidence/operators/operator_row.h"

#include "core/values/basics/names.h"

#include <algorithm>

namespace plimsoll {

namespace {

constexpr double one_mebibyte = 1 << 20;

double smallest(const MeasuredProduct& p) { return std::min({p.m, p.n, p.k}); }

template <class... Cases>
struct ByKind : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
ByKind(Cases...) -> ByKind<Cases...>;

constexpr const char* conversion_names[] = {"", ", scale a tensor", ", scale a row", ", scale a block",
                                               ", scale a block", ", scale a block, given"};
constexpr const char* pass_names[] = {"forward", "backward", "both passes"};
constexpr const char* grouped_pass_names[] = {"forward", "input gradient", "weight gradient"};
constexpr const char* operation_names[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "message"};

}  // namespace

Fp8Recipe scales_of(Conversion c) {
    constexpr Fp8Recipe scales[] = {Fp8Recipe::tensorwise, Fp8Recipe::tensorwise, Fp8Recipe::rowwise,
                                    Fp8Recipe::blockwise,  Fp8Recipe::blockwise,  Fp8Recipe::blockwise};
    return scales[int(c)];
}

const char* name_of_kind(OperatorKind kind) {
    constexpr const char* names[] = {"products", "attention", "grouped products", "collectives", "memory streams"};
    return names[int(kind)];
}

std::string variety_of(const OperatorRow& row) {
    return std::visit(
        ByKind{[](const MeasuredProduct& p) {
                   return std::string(name_of(p.format)) + conversion_names[int(p.conversion)];
               },
               [](const MeasuredAttention& a) {
                   return std::string(name_of(a.kernel)) + " " + pass_names[int(a.pass)];
               },
               [](const MeasuredGrouped& g) {
                   return std::string(name_of(g.format)) + " " + grouped_pass_names[int(g.pass)];
               },
               [](const MeasuredCollective& c) {
                   return operation_names[int(c.operation)] + std::string(", ") + std::to_string(c.ranks) + " ranks";
               },
               [](const MeasuredStream& s) { return s.operation; }},
        row.work);
}

std::string size_class_of(const OperatorRow& row) {
    return std::visit(
        ByKind{[](const MeasuredProduct& p) -> std::string {
                   if (smallest(p) < 1024) return "a dimension below 1,024";
                   const double work = 2 * p.m * p.n * p.k;
                   return work < 1e12 ? "below 1 TFLOP" : work < 1e13 ? "1 to 10 TFLOP" : "10 TFLOP and more";
               },
               [](const MeasuredAttention& a) -> std::string {
                   return a.sequence <= 2048 ? "up to 2k" : a.sequence <= 8192 ? "up to 8k" : "above 8k";
               },
               [](const MeasuredGrouped& g) -> std::string {
                   const double rows = double(g.rows) / g.experts;
                   return rows < 256 ? "below 256 rows an expert"
                        : rows < 1024 ? "256 to 1,023 rows an expert" : "1,024 rows an expert and more";
               },
               [](const MeasuredCollective& c) -> std::string {
                   if (c.bytes < one_mebibyte) return "below 1 MiB";
                   return c.bytes < 64 * one_mebibyte ? "1 to 64 MiB" : "64 MiB and more";
               },
               [](const MeasuredStream&) -> std::string { return "all"; }},
        row.work);
}

bool counts(const OperatorRow& row) {
    if (const auto* p = std::get_if<MeasuredProduct>(&row.work)) return smallest(*p) >= 1024;
    if (const auto* c = std::get_if<MeasuredCollective>(&row.work)) return c->bytes >= one_mebibyte;
    return true;
}

}  // namespace plimsoll
