// What the interface says about a knob, and the units that it may be edited in.

#include "core/answers/campaign/hours.h"
#include "core/evidence/calibration/proof/evidence.h"
#include "core/values/basics/phrase.h"
#include "core/values/knobs/in_words.h"
#include "core/values/knobs/network_levels.h"
#include "core/values/knobs/provenance.h"
#include "core/values/knobs/wording.h"
#include "views/inputs/knob_row.h"
#include "views/inputs/other_names.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace plimsoll {

namespace {

bool is_batch(const Knob& k) { return k.id == "recipe.global_batch_sequences"; }

// The global batch as papers state it.
const Knob& batch_in_tokens() {
    static const Knob knob = [] {
        Knob k = *find_knob("recipe.global_batch_sequences");
        k.id = "recipe.global_batch_tokens";
        k.unit = "tokens";
        k.kind = KnobKind::real;
        k.high = 1e12;
        k.get = [](const Scenario& s) { return tokens_of_step(s.recipe); };
        k.set = [](Scenario& s, double v) {
            const double sequences = std::round(v / std::max(1.0, counted_sequence(s.recipe).tokens));
            s.recipe.global_batch_sequences = static_cast<int>(std::clamp(sequences, 1.0, 1e6));
        };
        return k;
    }();
    return knob;
}

// What else the input of a level is called: the level of a node and those inside it otherwise than those beyond it. Of
// levels that share their names the one that tells most comes first: the node's, and the widest that the plan uses. The
// plain word of the input, which all levels have, means the widest one.
QStringList names_of_level(const Knob& k, int level, const Scenario& s) {
    const Machine& m = s.machine;
    const QStringList numbered{to_qt(label_in_words(k))};
    if (level >= std::ssize(m.levels)) return {};
    const std::string key = k.id.substr(id_of_level(level, "").size());
    const int devices = m.levels[std::size_t(level)].devices, widest = widest_level(s);
    if (devices < 2) return numbered;
    const bool inside = devices <= m.devices_per_node;
    const QStringList shared =
        other_names(QStringLiteral("machine.network.%1_%2")
                        .arg(inside ? QStringLiteral("node") : QStringLiteral("system"),
                             key == "bandwidth_GBps" ? QStringLiteral("GBps") : to_qt(key)));
    const bool first = level == (inside ? level_of_node(m) : widest);
    QStringList names = first ? shared + numbered : numbered + shared;
    if (level == widest && key == "bandwidth_GBps") names << QStringLiteral("bandwidth");
    if (level == widest && key == "latency_us") names << QStringLiteral("latency");
    return names;
}

}  // namespace

const Knob* other_unit(const Knob& k) {
    if (k.id == "nodes") return find_knob("layout.devices");
    return is_batch(k) ? &batch_in_tokens() : nullptr;
}

Findable findable(const Knob& k) {
    const QString id = to_qt(k.id);
    return {to_qt(label_in_words(k)), other_names(id), id + u' ' + worded(k.section) + u' ' + to_qt(help_in_words(k))};
}

Findable findable(const Knob& k, const Scenario& s) {
    Findable found = findable(k);
    if (const auto level = level_of(k)) {
        found.label = to_qt(label_in_words(k, s));
        found.names = names_of_level(k, *level, s);
    }
    return found;
}

namespace {

QString equals(double count, const std::string& one, const std::string& several) {
    return QStringLiteral("= %1 %2").arg(grouped(count), to_qt(count == 1 ? one : several));
}

}  // namespace

QString note_of(const Knob& k, const Snapshot& s) {
    const Scenario& plan = s.scenario;
    if (is_batch(k)) return QObject::tr("= %1 tokens").arg(to_qt(say_count(batch_in_tokens().get(plan))));
    if (&k == &batch_in_tokens()) return QObject::tr("= %1 sequences").arg(grouped(plan.recipe.global_batch_sequences));
    if (level_of(k) && k.id == id_of_level(widest_level(plan), "bandwidth_GBps"))
        return QObject::tr("%1, in use").arg(worded(k.unit));
    if (k.id == "nodes") {
        const CountedIn in = s.last_good ? counted_in(plan.machine, s.last_good->hours) : CountedIn{};
        if (in.name.empty()) return equals(plan.layout.devices, phrase("device"), phrase("devices"));
        return equals(1.0 * plan.layout.devices / in.devices, in.name, in.name);
    }
    if (k.id == "layout.devices") return equals(nodes_used(plan), phrase("node"), phrase("nodes"));
    if (s.stale() || !s.last_good || k.get(plan) != 0) return {};
    const Resilience& r = s.last_good->headline.resilience;
    if (k.id == "recipe.checkpoint_interval_s") return QStringLiteral("= ") + to_qt(say(r.interval));
    return k.id == "recipe.checkpoint_s" ? QStringLiteral("= ") + to_qt(say(r.checkpoint)) : QString();
}

QString edit_name(const Knob& k, double value) {
    const std::string word = value == 0 ? word_for_zero(k) : std::string();
    return to_qt(label_in_words(k) + ' ' + (word.empty() ? format_value(k, value) : word));
}

QString name_of(SourceKind kind) {
    switch (kind) {
        case SourceKind::measured:
            return QObject::tr("measured");
        case SourceKind::vendor:
            return QObject::tr("vendor");
        case SourceKind::derived:
            return QObject::tr("derived");
        case SourceKind::estimated:
            return QObject::tr("estimated");
        case SourceKind::user:
            return QObject::tr("user");
    }
    return {};
}

namespace {

// As far as this plan's machine goes, which an obstacle says.
QString range_text(const Knob& k, const Scenario& s) {
    if (k.kind == KnobKind::flag) return QObject::tr("on or off");
    if (k.kind == KnobKind::choice) {
        QStringList names;
        for (const std::string& c : k.choices) names.append(to_qt(c));
        return names.join(QStringLiteral(", "));
    }
    const auto beyond = with(s, k, HUGE_VAL);
    const double high = beyond ? k.high : beyond.error().valid.back();
    return QObject::tr("%1 to %2").arg(to_qt(format_value(k, k.low)), to_qt(value_with_unit(k, high)));
}

QString link(const QString& text, double value) {
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(QString::number(value, 'g', 17), text.toHtmlEscaped());
}

}  // namespace

QStringList links_in(const QString& sentence, const Knob& knob) {
    const int colon = static_cast<int>(sentence.lastIndexOf(QStringLiteral(": ")));
    QStringList links;
    QString list = colon < 0 ? QString() : sentence.mid(colon + 2);
    if (list.endsWith(u'.') || list.endsWith(u'。')) list.chop(1);
    for (const QString& value : list.split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
        const auto parsed = parse_value(knob, value.toStdString());
        if (!parsed) return {};
        links.append(link(value, *parsed));
    }
    return links;
}

QString tooltip(const Knob& k, const Scenario& s) {
    QString text = QStringLiteral("<b>%1</b>: %2<br>%3<br><i>%4</i>: %5")
                       .arg(to_qt(label_in_words(k)).toHtmlEscaped(),
                            to_qt(value_with_unit(k, k.get(s))).toHtmlEscaped(),
                            to_qt(help_in_words(k)).toHtmlEscaped(), QObject::tr("Range"),
                            range_text(k, s).toHtmlEscaped());
    if (!pointer_of(k).empty()) {
        const Source source = source_of(k, s);
        text += QStringLiteral("<br><i>%1</i> (%2): %3")
                    .arg(QObject::tr("Source"), name_of(source.kind),
                         (is_own(source) ? worded_kept(source.text) : to_qt(source.text)).toHtmlEscaped());
    }
    for (const ConstantEvidence& e : evidence_for(s.machine, k.id))
        text += QStringLiteral("<br><i>%1</i>: %2").arg(QObject::tr("Measured"), to_qt(e.sentence).toHtmlEscaped());
    if (const std::string_view why = idle_reason(k, s); !why.empty())
        text += QStringLiteral("<br><i>%1</i>: %2")
                    .arg(QObject::tr("Not used in this plan"), worded(why));
    return text + QStringLiteral("<br><small>%1</small>").arg(to_qt(k.id));
}

}  // namespace plimsoll
