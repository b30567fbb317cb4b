#include "core/answers/compare/compare.h"

#include "core/answers/campaign/money.h"
#include "core/answers/search/winner.h"
#include "core/values/basics/phrase.h"
#include "core/values/basics/text.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/knobs.h"
#include "core/values/knobs/wording.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace plimsoll {

namespace {

struct ComparedPlan {
    const Scenario* plan;
    Estimate estimate;
    Headline headline;
    Totals totals;
};

bool all_alike(const std::vector<std::string>& values) {
    return std::all_of(values.begin(), values.end(), [&](const std::string& v) { return v == values.front(); });
}

ComparedRow row_of(std::string id, std::string label, std::vector<std::string> values) {
    ComparedRow r{std::move(id), std::move(label), "", std::move(values), {}, false, Wanted::either};
    r.differs = !all_alike(r.values);
    return r;
}

std::vector<ComparedRow> inputs_of(std::span<const Scenario> plans) {
    std::vector<ComparedRow> rows;
    const auto names = [&](const char* id, const char* label, auto name) {
        std::vector<std::string> values;
        for (const Scenario& s : plans) values.push_back(name(s));
        if (ComparedRow r = row_of(id, label, std::move(values)); r.differs) rows.push_back(std::move(r));
    };
    names("model", "Model", [](const Scenario& s) { return s.model.name; });
    names("machine", "Machine", [](const Scenario& s) { return s.machine.name; });
    names("stack", "Software", [](const Scenario& s) { return s.stack.name; });
    for (const Knob& k : knobs()) {
        ComparedRow r{k.id, label_in_words(k, plans.front()), k.unit, {}, {}, true, Wanted::either};
        for (const Scenario& s : plans) r.numbers.push_back(k.get(s));
        if (std::ranges::count(r.numbers, r.numbers.front()) == std::ssize(r.numbers)) continue;
        // What no plan takes notice of is no difference.
        if (std::ranges::none_of(plans, [&](const Scenario& s) { return idle_reason(k, s).empty(); })) continue;
        for (const double v : r.numbers)   // counts stand without their unit, which is a plural
            r.values.push_back(v == 0 || k.kind == KnobKind::real ? value_with_unit(k, v) : format_value(k, v));
        rows.push_back(std::move(r));
    }
    return rows;
}

class Answers {
public:
    explicit Answers(const std::vector<ComparedPlan>& plans) : plans_(plans) {}

    template <class Say, class Number>
    void add(const char* id, const char* label, const char* unit, Wanted wanted, Number number, Say say_it) {
        ComparedRow r{id, label, unit, {}, {}, false, wanted};
        for (const ComparedPlan& p : plans_) {
            const double v = number(p);
            r.numbers.push_back(v);
            r.values.push_back(std::isfinite(v) ? say_it(v) : phrase("never"));
        }
        add(std::move(r));
    }
    // What some plans may not know.
    template <class Say>
    void add_known(const char* id, const char* label, const char* unit,
                   std::optional<double> (*number)(const ComparedPlan&), Say say_it) {
        ComparedRow r{id, label, unit, {}, {}, false, Wanted::less};
        for (const ComparedPlan& p : plans_) {
            const auto v = number(p);
            if (v) r.numbers.push_back(*v);
            r.values.push_back(v ? say_it(p, *v) : phrase("unknown"));
        }
        add(std::move(r));
    }
    void words(const char* id, const char* label, std::string (*word)(const ComparedPlan&)) {
        std::vector<std::string> values;
        for (const ComparedPlan& p : plans_) values.push_back(word(p));
        rows.push_back(row_of(id, label, std::move(values)));
    }

    std::vector<ComparedRow> rows;

private:
    void add(ComparedRow r) {
        if (r.numbers.size() != plans_.size()) r.numbers.clear();
        r.differs = !all_alike(r.values);
        rows.push_back(std::move(r));
    }
    const std::vector<ComparedPlan>& plans_;
};

// Three digits, whatever the size: "USD 353,000 to 753,000".
std::string say_roughly(const Cost& c) {
    Cost rough = c;
    for (double* each : {&rough.low, &rough.high}) *each = std::stod(significant(*each, 3));
    return say(rough);
}

std::string say_fit_of(const ComparedPlan& p) {
    const Estimate& e = p.estimate;
    if (e.device_fits() && !e.fits()) return phrase("lacks host memory or drives");
    const std::string said = say_fit(e);
    return e.fits() ? said : said + ": " + phrase("short by {1}", say(e.worst().total() - e.memory_limit));
}

std::vector<ComparedRow> answers_of(const std::vector<ComparedPlan>& plans) {
    using enum Wanted;
    using P = const ComparedPlan&;
    Answers a(plans);
    const auto percents = [](double v) { return percent(v); };
    const auto seconds = [](double v) { return say(v * second); };
    const auto joules = [](double v) { return say(v * joule); };
    const auto kilograms = [](P, double v) { return say_kg(v); };
    a.add("time", "Time to train", "s", less, [](P p) { return p.totals.time / second; }, seconds);
    a.add("step", "Step", "s", either, [](P p) { return p.headline.step / second; }, seconds);
    a.add("tokens_per_second", "Tokens per second", "", more,
          [](P p) { return p.headline.tokens_per_second / (token / second); }, say_count);
    a.add("mfu", "Model FLOP utilisation", "", more, [](P p) { return p.headline.mfu; }, percents);
    a.add("per_device", "Per device", "FLOP/s", more, [](P p) { return p.headline.per_device / (flop / second); },
          [](double v) { return say(v * (flop / second)); });
    a.add("nodes", "Nodes", "", either, [](P p) { return 1.0 * p.estimate.nodes; }, say_count);
    a.add("node_hours", "Node-hours", "", less, [](P p) { return p.totals.node_hours; }, say_count);
    a.add("memory", "Memory of the fullest device", "bytes", either,
          [](P p) { return p.estimate.worst().total() / byte; }, [](double v) { return say(v * byte); });
    a.words("fits", "Fits", say_fit_of);
    a.add("device_energy", "Energy, devices only", "J", less, [](P p) { return p.totals.device_energy / joule; },
          joules);
    a.add("facility_energy", "Energy, facility", "J", less, [](P p) { return p.totals.facility_energy / joule; },
          joules);
    a.add_known("cost", "Cost", "", [](P p) {
        const auto c = cost_of(*p.plan, p.totals);
        return c ? std::optional(c->middle()) : std::nullopt;
    }, [](P p, double) { return say_roughly(*cost_of(*p.plan, p.totals)); });
    // Amounts in several currencies are no numbers of one kind.
    std::set<std::string> currencies;
    for (P p : plans)
        if (const auto c = cost_of(*p.plan, p.totals)) currencies.insert(c->currency);
    if (currencies.size() > 1) a.rows.back().numbers.clear();
    // Why a factor is not known stands with the plan itself; here it would fill the column.
    a.add_known("carbon", "Carbon, operational", "kg",
                [](P p) { return carbon_of(*p.plan, p.totals).operational_kg; }, kilograms);
    a.add_known("embodied", "Carbon, embodied", "kg",
                [](P p) { return carbon_of(*p.plan, p.totals).embodied_kg; }, kilograms);
    return std::move(a.rows);
}

}  // namespace

Seconds Waterfall::sum() const {
    Seconds all;
    for (const WaterfallPart& p : parts) all += p.change;
    return all;
}

Waterfall waterfall(const Scenario& from, const Estimate& a, const Scenario& to, const Estimate& b) {
    const Headline ha = headline(from, a), hb = headline(to, b);
    const Totals ta = totals(from, ha, Counting::all), tb = totals(to, hb, Counting::all);
    Waterfall w;
    w.from = ta.time;
    w.to = tb.time;
    std::vector<PartChange> changed;
    for (const auto& part : step_parts)
        changed.push_back({part.id, part.label, ha.steps * (a.step.*part.value), hb.steps * (b.step.*part.value)});
    changed.push_back({"beside", "Failures, checkpoints, ends of jobs", ta.beside, tb.beside});
    for (const PartChange& p : changed) w.parts.push_back({std::string(p.id), std::string(p.label), p.to - p.from});
    std::stable_sort(changed.begin(), changed.end(), [](const PartChange& x, const PartChange& y) {
        return max(x.to - x.from, x.from - x.to) > max(y.to - y.from, y.from - y.to);
    });
    w.why = say_changes(w.from, w.to, changed);
    if (ha.steps != hb.steps)
        w.why += ", in " + say_count(hb.steps) + " steps instead of " + say_count(ha.steps);
    return w;
}

Expected<Comparison, NotComparable> compare(std::span<const Scenario> plans) {
    std::vector<ComparedPlan> priced;
    for (const Scenario& s : plans) {
        Outcome o = estimate(s);
        if (!o) return Unexpected{NotComparable{int(priced.size()), o.error()}};
        const Headline h = headline(s, *o);
        const Totals t = totals(s, h, Counting::all);
        priced.push_back({&s, *std::move(o), h, t});
    }
    Comparison c{inputs_of(plans), answers_of(priced), {}};
    for (std::size_t i = 1; i < priced.size(); ++i)
        c.waterfalls.push_back(waterfall(plans[0], priced[0].estimate, plans[i], priced[i].estimate));
    return c;
}

}  // namespace plimsoll
