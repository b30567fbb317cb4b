#pragma once
// Tables of fields: one row says a field's key, member, unit and range, and
// reading, writing and the warning about unknown keys all go through it, so
// they cannot drift apart.
//
//   constexpr Table host_fields{
//       real<&Host::memory>("memory_GiB", gibibyte, not_negative).about("Per node"),
//       real<&Host::link>("link_GBps", GBps, not_negative).needed().about("Host to device, per direction"),
//   };
//   static_assert(complete(host_fields), "every member has a row");
//
// Where the keys of a member's own members stand among those of their owner, a row names both:
//   real<&Stack::host, &HostSide::layer>("host_layer_ms", millisecond, host_time)
//
// The JSON Schema in presets/schema/ is written from the same rows (schema_text() of preset_json.h). It is stricter
// than the reader where a row says so: `stated()` asks for a key that has a default, `schema_limits()` narrows a range.
//
// Rows are compiled once for each type of member, not for each table: what depends on the type is a Format, four
// functions that take the value's address.
//
// Internal to core/files, like reader.h.

#include "core/files/text/members.h"
#include "core/files/text/reader.h"
#include "core/values/basics/names.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/rounded.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace plimsoll::files {

// ---- Numbers and their schemas

inline constexpr ByteRate GBps = gigabyte / second;
inline constexpr FlopRate TFLOPS = teraflop / second;
inline constexpr double one = 1;  // the unit of a pure number

// The shortest decimal that times the unit is `v`: 6.4, not 6.3999999999999995, when both times a microsecond are the
// same double.
double shortest_in(double unit, double v);
OrderedJson number_json(double);  // 8 rather than 8.0

// {"type": type, "minimum": ..., "maximum": ...}; a limit that bounds nothing physical is left out.
OrderedJson number_schema(std::string_view type, NumberRange);
OrderedJson text_schema(std::size_t shortest, std::string_view pattern);
OrderedJson enum_schema(std::span<const std::string_view> names);
OrderedJson text_json(std::string_view);
OrderedJson list_schema(OrderedJson items, std::size_t fewest, std::size_t most);  // 0: no limit

// The JSON Schema of an object while its rows are added.
struct SchemaObject {
    OrderedJson properties = OrderedJson::object(), required = OrderedJson::array();
    void add(std::string_view key, OrderedJson schema, std::string_view description, bool is_required);
    OrderedJson finished() &&;  // no other keys than these
};

// ---- Rows

struct Field;

// Those of a table, whatever they are of.
struct Rows {
    const Field* first = nullptr;
    std::size_t count = 0;
    constexpr const Field* begin() const { return first; }
    constexpr const Field* end() const;
};

// How values of one type are read, written and described. What cannot be read leaves the value as it was, with the
// reason noted; a null written value is left out.
struct Format {
    void (*read)(const Field&, const Reader&, void* value);
    OrderedJson (*write)(const Field&, const void* value);
    OrderedJson (*schema)(const Field&);
    std::string (*expected)(const Field&);
};

using Place = const void* (*)(const void* owner);   // where a member is

struct Field {
    std::string_view key;
    const Format* format;
    Place place = nullptr;                  // null: no member, the value is the same in every file
    Place part = nullptr;                   // of the member that holds this one, where a row names both
    std::size_t members_of_part = 0;
    bool required = false;                  // the reader refuses a file without it
    bool required_in_schema = false;
    std::string_view description = {};      // for whoever writes a preset

    // For the formats, each of which has use for some.
    NumberRange range = {}, schema_range = {};
    double unit = 1;                        // of numbers, in base units
    bool unless_default = false;            // left out where it is the default
    bool several_lines = false;
    std::size_t shortest = 0;               // characters, for the schema
    std::string_view pattern = {};          // regular expression, for the schema
    std::string_view fixed = {};            // a value that is the same in every file, and so is the next
    int fixed_number = 0;
    std::span<const std::string_view> words = {};
    Rows rows = {};                         // of an object, or of every element of a list
    std::string_view item = {};             // what one element is
    std::size_t most = 0, fewest_in_schema = 0, most_in_schema = 0;  // elements; 0: the schema names no limit

    void read_value(const Reader&, void* owner) const;
    OrderedJson value(const void* owner) const;
};

constexpr const Field* Rows::end() const { return first + count; }

// A field of Owner's.
template <class Owner>
struct Row : Field {
    template <class T>
    constexpr Row with(T Field::*property, std::type_identity_t<T> value) const {
        Row row = *this;
        row.*property = value;
        return row;
    }
    constexpr Row stated() const { return with(&Field::required_in_schema, true); }
    constexpr Row needed() const { return stated().with(&Field::required, true); }
    constexpr Row about(std::string_view text) const { return with(&Field::description, text); }
    constexpr Row schema_limits(NumberRange limits) const { return with(&Field::schema_range, limits); }
    constexpr Row not_empty() const { return with(&Field::shortest, 1); }
    constexpr Row matching(std::string_view regex) const { return with(&Field::pattern, regex); }
    constexpr Row prose() const { return with(&Field::several_lines, true); }
    constexpr Row each(std::string_view what, std::size_t fewest = 0, std::size_t limit = 0) const {
        return with(&Field::item, what).with(&Field::fewest_in_schema, fewest).with(&Field::most_in_schema, limit);
    }
    // Files of before the key stay what they are, and plans keep their hash.
    constexpr Row left_out_by_default() const { return with(&Field::unless_default, true); }
    constexpr Row kept_when_empty() const { return with(&Field::unless_default, false); }
};

template <class Owner, std::size_t size>
struct Table {
    Field fields[size];
    constexpr operator Rows() const { return {fields, size}; }
};
template <class Owner, class... More>
    requires(std::is_same_v<More, Row<Owner>> && ...)
Table(Row<Owner>, More...) -> Table<Owner, 1 + sizeof...(More)>;

template <class Owner, std::size_t size>
constexpr auto keys_of(const Table<Owner, size>& table) {
    std::array<std::string_view, size> keys;
    for (std::size_t i = 0; i < size; ++i) keys[i] = table.fields[i].key;
    return keys;
}

OrderedJson object_schema(Rows);
void read_rows(Rows, const Reader&, void* owner);
OrderedJson write_rows(Rows, const void* owner);

template <class Owner, std::size_t size>
void read_fields(const Table<Owner, size>& table, const Reader& at, std::type_identity_t<Owner>& owner) {
    read_rows(table, at, &owner);
}
template <class Owner, std::size_t size>
OrderedJson write_fields(const Table<Owner, size>& table, const std::type_identity_t<Owner>& owner) {
    return write_rows(table, &owner);
}

// ---- Whether every member has a row

namespace detail {

inline const void* itself(const void* owner) { return owner; }

template <auto... Path>
struct Member;
template <class Of, class T, T Of::*member>
struct Member<member> {
    using Owner = Of;
    using Type = T;
    static const void* place(const void* owner) { return &(static_cast<const Of*>(owner)->*member); }
    static constexpr Place part = nullptr;
    static constexpr std::size_t members_of_part = 0;
};
template <class Of, class Part, class T, Part Of::*holder, T Part::*member>
struct Member<holder, member> {
    using Owner = Of;
    using Type = T;
    static const void* place(const void* owner) { return &(static_cast<const Of*>(owner)->*holder.*member); }
    static constexpr Place part = &Member<holder>::place;
    static constexpr std::size_t members_of_part = members_of<Part>;
};

constexpr double in_base_units(double v) { return v; }
template <class Unit>
constexpr double in_base_units(Unit v) { return v / Unit::raw(1); }

// Members with rows; one whose own members stand among the owner's counts once all of them have rows.
constexpr std::size_t members_in(Rows rows) {
    std::size_t members = 0;
    for (const Field& f : rows) {
        std::size_t before = 0, all = 0;   // rows of the same part
        for (const Field& other : rows) {
            all += other.part == f.part;
            before += other.part == f.part && &other < &f;
        }
        if (f.place == &itself) members += members_in(f.rows);
        else if (f.part) members += before == 0 && all == f.members_of_part;
        else members += f.place != nullptr;
    }
    return members;
}

constexpr bool no_member_twice(Rows rows) {
    for (const Field& f : rows)
        for (const Field& other : rows)
            if (f.place && f.place == other.place && &f != &other) return false;
    return true;
}

}  // namespace detail

template <class Owner, std::size_t size>
constexpr bool complete(const Table<Owner, size>& table) {
    return detail::no_member_twice(table) && detail::members_in(table) == members_of<Owner>;
}

// ---- Formats. Those of one kind of value have static functions that take the value by its type.

namespace detail {

template <class Kind, class T>
struct Erased {
    static void read(const Field& f, const Reader& at, void* value) { Kind::read(f, at, *static_cast<T*>(value)); }
    static OrderedJson write(const Field& f, const void* v) { return Kind::write(f, *static_cast<const T*>(v)); }
    static constexpr Format format{&read, &write, &Kind::schema, &Kind::expected};
};

}  // namespace detail

// On one line, without control characters. Prose may have several lines and be as long as a note.
inline constexpr std::size_t longest_name = 200, longest_prose = 4000;  // characters
struct Text {
    static void read(const Field&, const Reader&, std::string&);
    static OrderedJson write(const Field&, const std::string&);
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
};

// A text that is one of a few words.
struct Word {
    static void read(const Field&, const Reader&, std::string&);
    static OrderedJson write(const Field&, const std::string&);
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
};

// A list of texts; an empty one is left out.
struct Texts {
    static void read(const Field&, const Reader&, std::vector<std::string>&);
    static OrderedJson write(const Field&, const std::vector<std::string>&);
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
};

struct Flag {
    static void read(const Field&, const Reader&, bool&);
    static OrderedJson write(const Field&, bool);
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
};

struct Whole {
    static void read(const Field&, const Reader&, int&);
    static OrderedJson write(const Field&, int);
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
};

struct Number {
    static void read(const Field&, const Reader&, double&);
    static OrderedJson write(const Field&, double);
    static void read(const Field&, const Reader&, std::optional<double>&);
    static OrderedJson write(const Field&, const std::optional<double>&);
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
    template <class Unit>
    static void read(const Field& f, const Reader& at, Unit& v) {
        double number = detail::in_base_units(v);
        read(f, at, number);
        v = number * Unit::raw(1);
    }
    template <class Unit>
    static OrderedJson write(const Field& f, const Unit& v) { return write(f, detail::in_base_units(v)); }
};

template <class E>
struct Choice {
    static void read(const Field&, const Reader& at, E& v) {
        if (const auto i = at.choice(names_of<E>())) v = static_cast<E>(*i);
    }
    static OrderedJson write(const Field&, E v) { return text_json(name_of(v)); }
    static OrderedJson schema(const Field&) { return enum_schema(names_of<E>()); }
    static std::string expected(const Field&) { return one_of(names_of<E>()); }
};

// For formats of values that are objects in the file.
struct Object {
    static OrderedJson schema(const Field& f) { return object_schema(f.rows); }
    static std::string expected(const Field&) { return phrase("an object"); }
};

// A struct as an object of its own.
template <class Value>
struct Nested : Object {
    static void read(const Field& f, const Reader& at, Value& v) {
        v = Value();
        read_rows(f.rows, at, &v);
    }
    static OrderedJson write(const Field& f, const Value& v) { return write_rows(f.rows, &v); }
};

// Left out of the file while it holds nothing but defaults.
template <class Value>
struct Feature : Nested<Value> {
    static OrderedJson write(const Field& f, const Value& v) {
        return v == Value() ? OrderedJson() : write_rows(f.rows, &v);
    }
};

struct AnyList {
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
};

template <class Value>
struct List : AnyList {
    static void read(const Field& f, const Reader& at, std::vector<Value>& all) {
        if (!at.array(f.most)) return;
        all.clear();
        for (const Reader& element : at.elements()) read_rows(f.rows, element, &all.emplace_back());
    }
    static OrderedJson write(const Field& f, const std::vector<Value>& all) {
        if (f.unless_default && all.empty()) return {};
        OrderedJson list = OrderedJson::array();
        for (const Value& v : all) list.push_back(write_rows(f.rows, &v));
        return list;
    }
};

// Names of files: what it matches becomes part of a path.
inline constexpr std::string_view id_pattern = "^[a-z0-9][a-z0-9.-]*$";

// Where the numbers come from: pointer -> {"kind", "text"}.
struct SourceMap {
    static void read(const Field&, const Reader&, Sources&);
    static OrderedJson write(const Field&, const Sources&);
    static OrderedJson schema(const Field&);
    static std::string expected(const Field&);
};

// Fields of the same struct that stand together in an object.
struct Group {
    static const Format format;
};

// A value that is the same in every file: "schema", "version". Checked before the fields are read.
struct Fixed {
    static const Format format;
};

// ---- Rows by the type of their member

template <class Kind, auto... path>
constexpr auto row(std::string_view key) {
    using Member = detail::Member<path...>;
    using Erased = detail::Erased<Kind, typename Member::Type>;
    return Row<typename Member::Owner>{
        {key, &Erased::format, &Member::place, Member::part, Member::members_of_part}};
}
template <class Kind, auto... path>
constexpr auto within(std::string_view key, NumberRange r) {
    return row<Kind, path...>(key).with(&Field::range, r).schema_limits(r);
}

template <auto... path>
constexpr auto text(std::string_view key) { return row<Text, path...>(key).left_out_by_default(); }
template <auto... path>
constexpr auto word(std::string_view key, std::span<const std::string_view> words) {
    return row<Word, path...>(key).with(&Field::words, words);
}
template <auto... path>
constexpr auto texts(std::string_view key, std::size_t most) {
    return row<Texts, path...>(key).with(&Field::most, most);
}
template <auto... path>
constexpr auto flag(std::string_view key) { return row<Flag, path...>(key); }
template <auto... path>
constexpr auto choice(std::string_view key) {
    return row<Choice<typename detail::Member<path...>::Type>, path...>(key);
}
template <auto... path>
constexpr auto whole(std::string_view key, NumberRange r) { return within<Whole, path...>(key, r); }
template <auto... path>
constexpr auto pure(std::string_view key, NumberRange r) { return within<Number, path...>(key, r); }
template <auto... path>
constexpr auto optional(std::string_view key, NumberRange r) { return within<Number, path...>(key, r); }
template <auto... path>
constexpr auto real(std::string_view key, typename detail::Member<path...>::Type unit, NumberRange r) {
    return within<Number, path...>(key, r).with(&Field::unit, detail::in_base_units(unit));
}
template <auto... path, class Value, std::size_t size>
constexpr auto nested(std::string_view key, const Table<Value, size>& table) {
    return row<Nested<Value>, path...>(key).with(&Field::rows, table);
}
template <auto... path, class Value, std::size_t size>
constexpr auto feature(std::string_view key, const Table<Value, size>& table) {
    return row<Feature<Value>, path...>(key).with(&Field::rows, table);
}
template <auto... path, class Value, std::size_t size>
constexpr auto list(std::string_view key, const Table<Value, size>& table, std::size_t most) {
    return row<List<Value>, path...>(key).with(&Field::rows, table).with(&Field::most, most);
}
template <auto... path>
constexpr auto sources(std::string_view key) { return row<SourceMap, path...>(key); }

template <class Owner, std::size_t size>
constexpr Row<Owner> group(std::string_view key, const Table<Owner, size>& table, std::size_t fewest = 0) {
    return Row<Owner>{{key, &Group::format, &detail::itself}}.needed().with(&Field::rows, table).each({}, fewest);
}
template <class Owner>
constexpr Row<Owner> constant(std::string_view key, std::string_view value) {
    return Row<Owner>{{key, &Fixed::format}}.stated().with(&Field::fixed, value);
}
template <class Owner>
constexpr Row<Owner> constant(std::string_view key, int value) {
    return Row<Owner>{{key, &Fixed::format}}.stated().with(&Field::fixed_number, value);
}

// ---- A document of ours

struct DocumentKind {
    std::string_view schema;
    int version;
    bool header_required = true;
    Conflicts conflicts = Conflicts::are_errors;
};

// All that is wrong with the text, beside what `read` notes of its root.
struct ReadProblems {
    Problems all;
    bool errors = false;
};
ReadProblems read_root(std::string_view text, const std::string& file, const DocumentKind&,
                       const std::function<void(const Reader&)>& read);

// What `read` makes of the root, unless an error was found. Warnings go to the value where it has a place for them.
template <class Value, class Read>
Expected<Value, Problems> read_document(std::string_view text, const std::string& file, const DocumentKind& kind,
                                        Read read) {
    Value value;
    ReadProblems problems = read_root(text, file, kind, [&](const Reader& root) { read(root, value); });
    if (problems.errors) return Unexpected{std::move(problems.all)};
    if constexpr (requires { value.warnings; }) value.warnings = std::move(problems.all);
    return value;
}

inline constexpr std::string_view json_schema_dialect = "https://json-schema.org/draft/2020-12/schema";

// A whole schema file: the object with its title, and with the definition of sources where it has such a key.
OrderedJson document_schema(std::string_view title, OrderedJson object);

// Notes sources whose pointer names no value of the preset.
void warn_of_idle_sources(const Reader& root, const Sources&);

}  // namespace plimsoll::files
