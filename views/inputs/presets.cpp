#include "views/inputs/presets.h"

#include "core/values/knobs/in_words.h"
#include "core/values/knobs/provenance.h"
#include "core/values/knobs/wording.h"
#include "views/inputs/knob_row.h"
#include "views/parts/language.h"
#include "views/parts/text.h"

#include <QCollator>
#include <QObject>
#include <QRegularExpression>

#include <algorithm>
#include <string_view>
#include <tuple>

namespace plimsoll {

namespace {

// "Llama 3.1" and "Llama-2" are both Llama, "DeepSeek-V2-Lite" is DeepSeek.
QString group_of(const Model& m) {
    static const QRegularExpression version(QStringLiteral("([ -]V?|(?<=Qwen|SmolLM))\\d.*$"));
    const QString family = to_qt(m.family).remove(version).trimmed();
    return family.isEmpty() ? QObject::tr("Others") : family;
}

// The country that ends the line of the site; machines to rent and those of no site have groups of their own.
QString group_of(const Machine& m) {
    const QString site = to_qt(m.site);
    if (site.isEmpty() || site.startsWith(QStringLiteral("generic"))) return QObject::tr("Generic");
    for (const char* cloud : {"AWS", "Google Cloud", "Azure", "IBM Cloud", "cloud provider", "CoreWeave"})
        if (site.contains(QLatin1String(cloud))) return QObject::tr("Clouds");
    QString country = site.section(u',', -1).section(u'(', 0, 0).trimmed();
    if (country == QStringLiteral("US")) return QObject::tr("United States");
    if (country == QStringLiteral("UK")) return QObject::tr("United Kingdom");
    if (country == QStringLiteral("CN")) return QObject::tr("China");
    return country.isEmpty() ? QObject::tr("Others") : country;
}

struct Maker {
    std::string_view id_begins;
    const char* name;
};

constexpr Maker makers[] = {
    {"megatron", "NVIDIA: Megatron-LM, Megatron-Core, NeMo"},
    {"nemo", "NVIDIA: Megatron-LM, Megatron-Core, NeMo"},
    {"deepspeed", "Microsoft: DeepSpeed"},
    {"torchtitan", "PyTorch: FSDP, TorchTitan"},
    {"pytorch", "PyTorch: FSDP, TorchTitan"},
    {"llm-foundry", "MosaicML: LLM Foundry"},
};

QString group_of(const Stack& s) {
    for (const Maker& maker : makers)
        if (s.id.starts_with(maker.id_begins)) return QString::fromLatin1(maker.name);
    return QObject::tr("Others");
}

QString detail_of(const Model& m) {
    const QString shape = QObject::tr("%1 layers, %2 wide").arg(m.layers).arg(m.hidden);
    return m.experts.count > 1 ? QObject::tr("%1, %2 experts").arg(shape).arg(m.experts.count) : shape;
}

QString detail_of(const Machine& m) {
    const QString devices =
        QObject::tr("%1 x %2 %3").arg(grouped(m.nodes)).arg(m.devices_per_node).arg(to_qt(m.device.name));
    const bool somewhere = !m.site.empty() && !to_qt(m.site).startsWith(QStringLiteral("generic"));
    return somewhere ? to_qt(m.site) + QStringLiteral(", ") + devices : devices;
}

QString detail_of(const Stack& s) {
    return s.kernels.attention == Attention::flash ? QObject::tr("fused attention") : QObject::tr("unfused attention");
}

template <class Presets>
std::vector<PresetName> names_of(const Presets& presets) {
    std::vector<PresetName> all;
    for (const auto& [id, p] : presets)
        all.push_back({id, to_qt(p.name.empty() ? id : p.name), group_of(p), detail_of(p), to_qt(p.note)});
    return all;
}

template <class Presets, class Part>
PresetPart compared(const Presets& presets, const Part& part) {
    const auto found = presets.find(part.id);
    const bool edited = found == presets.end() || !(found->second == part);
    return {part.id, to_qt(part.name.empty() ? part.id : part.name), to_qt(part.note), edited};
}

// Generic machines come first, what fits no group last.
int place_of_group(const QString& group) {
    return group == QObject::tr("Generic") ? 0 : group == QObject::tr("Others") ? 2 : 1;
}

// 0.5B before 7B before 13B before 1T: the size that a name ends with, in billions; 0 without one.
double size_in(const QString& name) {
    static const QRegularExpression size(QStringLiteral("(\\d+(?:\\.\\d+)?)([MBT])\\b"));
    const auto found = size.match(name);
    if (!found.hasMatch()) return 0;
    const QChar unit = found.captured(2).front();
    return found.captured(1).toDouble() * (unit == u'M' ? 1e-3 : unit == u'T' ? 1e3 : 1);
}

}  // namespace

std::vector<PresetName> presets_of(PresetKind kind, const Library& library) {
    std::vector<PresetName> all = kind == PresetKind::model     ? names_of(library.models)
                                : kind == PresetKind::machine ? names_of(library.machines)
                                                              : names_of(library.stacks);
    QCollator collator;
    collator.setNumericMode(true);
    collator.setCaseSensitivity(Qt::CaseInsensitive);
    static const QRegularExpression sized(QStringLiteral("[ -]\\d+(\\.\\d+)?[MBT]\\b.*$"));
    using Key = std::tuple<int, QCollatorSortKey, QCollatorSortKey, double, QCollatorSortKey, std::size_t>;
    std::vector<Key> order;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const PresetName& p = all[i];
        const bool model = kind == PresetKind::model;  // of one line by size, not by name
        order.emplace_back(place_of_group(p.group), collator.sortKey(p.group),
                           collator.sortKey(model ? QString(p.name).remove(sized) : p.name),
                           model ? size_in(p.name) : 0, collator.sortKey(p.name), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<PresetName> sorted;
    for (const Key& key : order) sorted.push_back(std::move(all[std::get<5>(key)]));
    return sorted;
}

Findable findable(const PresetName& p) {
    return {p.name, {to_qt(p.id)}, p.group + u' ' + p.detail};
}

std::optional<Scenario> with_preset(const Scenario& plan, PresetKind kind, const std::string& id,
                                    const Library& library) {
    Scenario next = plan;
    const auto take = [&id](auto& part, const auto& presets) {
        const auto found = presets.find(id);
        if (found == presets.end()) return false;
        part = found->second;
        return true;
    };
    switch (kind) {
        case PresetKind::model:
            if (!take(next.model, library.models)) return std::nullopt;
            next.recipe.sequence_length = next.model.sequence_length;
            break;
        case PresetKind::machine:
            if (!take(next.machine, library.machines)) return std::nullopt;
            break;
        case PresetKind::stack:
            if (!take(next.stack, library.stacks)) return std::nullopt;
            break;
    }
    return next;
}

QString name_of(PresetKind kind) {
    return kind == PresetKind::model     ? QObject::tr("Model")
         : kind == PresetKind::machine ? QObject::tr("Machine")
                                       : QObject::tr("Stack");
}

QStringList numbers_unlike_the_preset(const Scenario& s, const Library& library) {
    const auto preset = library.machines.find(s.machine.id);
    if (preset == library.machines.end() || preset->second == s.machine) return {};
    Scenario before = s;
    before.machine = preset->second;
    QStringList changed;
    for (const Knob* k : own_inputs_of_machine(s)) {
        const double now = k->get(s), then = k->get(before);
        changed.append(QObject::tr("%1 %2, not %3").arg(to_qt(label_in_words(*k, s)), to_qt(value_with_unit(*k, now)),
                                                        to_qt(value_with_unit(*k, then))));
    }
    return changed;
}

PresetPart part_of(const Scenario& s, PresetKind kind, const Library& library) {
    switch (kind) {
        case PresetKind::model:
            return compared(library.models, s.model);
        case PresetKind::machine:
            return compared(library.machines, s.machine);
        case PresetKind::stack:
            break;
    }
    return compared(library.stacks, s.stack);
}

}  // namespace plimsoll
