#include "views/inputs/knob_text.h"

#include "core/evidence/calibration/proof/evidence.h"
#include "views/plan/text.h"

#include <QObject>

namespace plimsoll {

QString value_with_unit(const Knob& k, double value) {
    const QString text = to_qt(format_value(k, value));
    return k.unit.empty() ? text : text + QStringLiteral(" ") + to_qt(k.unit);
}

QString edit_name(const Knob& k, double value) {
    return to_qt(k.label) + QStringLiteral(" ") + to_qt(format_value(k, value));
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

// "machine.device.memory_GiB" is "/device/memory_GiB" in the machine's own file.
std::string pointer_of(const std::string& id) {
    std::string pointer = id.substr(id.find('.'));
    for (char& c : pointer)
        if (c == '.') c = '/';
    return pointer;
}

const Sources* sources_of(const Knob& k, const Scenario& s) {
    if (k.id.starts_with("model.")) return &s.model.sources;
    if (k.id.starts_with("machine.")) return &s.machine.sources;
    if (k.id.starts_with("stack.")) return &s.stack.sources;
    return nullptr;
}

QString range_text(const Knob& k) {
    if (k.kind == KnobKind::flag) return QObject::tr("on or off");
    if (k.kind == KnobKind::choice) {
        QStringList names;
        for (const std::string& c : k.choices) names.append(to_qt(c));
        return names.join(QStringLiteral(", "));
    }
    return QObject::tr("%1 to %2").arg(to_qt(format_value(k, k.low)), value_with_unit(k, k.high));
}

QString link(const QString& text, double value) {
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(QString::number(value, 'g', 17), text.toHtmlEscaped());
}

}  // namespace

QString with_links(const QString& sentence, const Knob& knob) {
    const int colon = static_cast<int>(sentence.lastIndexOf(QStringLiteral(": ")));
    QStringList links;
    QString list = colon < 0 ? QString() : sentence.mid(colon + 2);
    if (list.endsWith(u'.')) list.chop(1);
    for (const QString& value : list.split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
        const auto parsed = parse_value(knob, value.toStdString());
        if (!parsed) return sentence.toHtmlEscaped();
        links.append(link(value, *parsed));
    }
    return links.isEmpty() ? sentence.toHtmlEscaped()
                           : sentence.left(colon + 2).toHtmlEscaped() + links.join(QStringLiteral(", "));
}

QString tooltip(const Knob& k, const Scenario& s) {
    QString text = QStringLiteral("<b>%1</b>: %2<br>%3<br><i>%4</i>: %5")
                       .arg(to_qt(k.label).toHtmlEscaped(), value_with_unit(k, k.get(s)).toHtmlEscaped(),
                            to_qt(k.help).toHtmlEscaped(), QObject::tr("Range"), range_text(k).toHtmlEscaped());
    if (const Sources* sources = sources_of(k, s)) {
        const Source source = source_of(*sources, pointer_of(k.id));
        text += QStringLiteral("<br><i>%1</i> (%2): %3")
                    .arg(QObject::tr("Source"), name_of(source.kind), to_qt(source.text).toHtmlEscaped());
    }
    for (const ConstantEvidence& e : evidence_for(s.machine, k.id))
        text += QStringLiteral("<br><i>%1</i>: %2").arg(QObject::tr("Measured"), to_qt(e.sentence).toHtmlEscaped());
    if (const std::string_view why = idle_reason(k, s); !why.empty())
        text += QStringLiteral("<br><i>%1</i>: %2")
                    .arg(QObject::tr("Not used in this plan"), QString::fromUtf8(why.data(), static_cast<int>(why.size())));
    return text + QStringLiteral("<br><small>%1</small>").arg(to_qt(k.id));
}

}  // namespace plimsoll
