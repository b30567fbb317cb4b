#include "views/parts/language.h"

#include "views/parts/text.h"

#include <QObject>
#include <QRegularExpression>

#include <vector>

namespace plimsoll {

namespace {

// As core/evidence/calibration and its files put them together, those with more words of their own first.
constexpr const char* patterns[] = {
    QT_TRANSLATE_NOOP("core", "{1} Numbers start from the preset of {2} ({3})."),
    QT_TRANSLATE_NOOP("core",
        "{1} is scaled to {2} layers of {3} ({4} heads of {5}), a vocabulary of {6} and sequences of {7}: {8} "
        "parameters. The engine takes {9}."),
    QT_TRANSLATE_NOOP("core",
        "{1} is scaled to {2} layers of {3} ({4} heads of {5}), a vocabulary of {6} and sequences of {7}: {8} "
        "parameters."),
    QT_TRANSLATE_NOOP("core", "dense feed-forward blocks for its experts"),
    QT_TRANSLATE_NOOP("core", "plain attention for its latent one"),
    QT_TRANSLATE_NOOP("core", "dense attention for its sparse one"),
    QT_TRANSLATE_NOOP("core", "heads of 64 for heads of {1}"),
    QT_TRANSLATE_NOOP("core", "adam for {1}"),
    QT_TRANSLATE_NOOP("core", "gelu for {1}"),
    QT_TRANSLATE_NOOP("core", "swiglu for {1}"),
    QT_TRANSLATE_NOOP("core", "bf16 for {1}"),
    QT_TRANSLATE_NOOP("core", "fp16 for {1}"),
    QT_TRANSLATE_NOOP("core", "fp32 for {1}"),
    QT_TRANSLATE_NOOP("core", "{1} ranks on {2} cores: they take turns, which no cost model knows"),
    QT_TRANSLATE_NOOP("core", "{1} layers"),
    QT_TRANSLATE_NOOP("core", "Width {1}"),
    QT_TRANSLATE_NOOP("core", "two data ranks"),
    QT_TRANSLATE_NOOP("core", "two tensor ranks"),
    QT_TRANSLATE_NOOP("core", "four micro-batches"),
    QT_TRANSLATE_NOOP("core", "{1} micro-batches"),
    QT_TRANSLATE_NOOP("core", "{1} data ranks"),
    QT_TRANSLATE_NOOP("core", "{1} tensor ranks"),
    QT_TRANSLATE_NOOP("core", "{1} stages"),
    QT_TRANSLATE_NOOP("core", "{1} tensor x {2} data ranks"),
    QT_TRANSLATE_NOOP("core", "{1} tensor x {2} stage x {3} data ranks"),
    QT_TRANSLATE_NOOP("core", "{1} tensor x {2} stage ranks"),
    QT_TRANSLATE_NOOP("core", "{1} tensor x {2} stages x {3} data ranks"),
    QT_TRANSLATE_NOOP("core", "{1} stage x {2} data ranks"),
    QT_TRANSLATE_NOOP("core", "{1} stages x {2} data ranks"),
    QT_TRANSLATE_NOOP("core", "sequence parallel"),
    QT_TRANSLATE_NOOP("core",
        "\"{1}\" took {2} longer at the end than when the constants were fitted: the machine drifted meanwhile, and "
        "the errors of the layouts held back have it in them"),
    QT_TRANSLATE_NOOP("core",
        "\"{1}\" took {2} less at the end than when the constants were fitted: the machine drifted meanwhile, and "
        "the errors of the layouts held back have it in them"),
    QT_TRANSLATE_NOOP("core",
        "layouts of few steps have the range of all of them as interval, which holds the median with {1} rather "
        "than 95 %"),
    QT_TRANSLATE_NOOP("core", "Gradients in fp8, two data ranks"),
    QT_TRANSLATE_NOOP("core", "Gradients at 8 bits, two data ranks"),
    QT_TRANSLATE_NOOP("core", "1 % of the gradients, two data ranks"),
    QT_TRANSLATE_NOOP("core", "Activations in fp8, two tensor ranks"),
    QT_TRANSLATE_NOOP("core", "Transfers in fp8, two stages"),
    QT_TRANSLATE_NOOP("core", "{1}: needs {2} of a device, which has {3}; a device with more memory works"),
    QT_TRANSLATE_NOOP("core",
        "A budget of {1} is too small: {2} is the least in which every layout that is held back still runs."),
    QT_TRANSLATE_NOOP("core", "{1}: its experiment gave no point that could be used"),
    QT_TRANSLATE_NOOP("core",
        "{1} of {2} points were measured while somebody else had the processor, and left out of the fit"),
    QT_TRANSLATE_NOOP("core",
        "{1} of 1 point was measured while somebody else had the processor, and left out of the fit"),
    QT_TRANSLATE_NOOP("core", "{1} layouts that were held back did not run to the end"),
    QT_TRANSLATE_NOOP("core", "1 layout that was held back did not run to the end"),
    QT_TRANSLATE_NOOP("core",
        "Other programs took processor time during {1} of {2} points of \"{3}\": their fastest tenth was taken, and "
        "the machine may be faster. Measure again when it is quiet."),
    QT_TRANSLATE_NOOP("core", "other programs took processor time while it ran"),
    QT_TRANSLATE_NOOP("core", "its steps differ too much from each other: something disturbed it"),
    QT_TRANSLATE_NOOP("core", "Other programs took processor time while \"{1}\" ran: it was left out of the fit."),
    QT_TRANSLATE_NOOP("core",
        "Something disturbed the steps of \"{1}\", which differ too much: it was left out of the fit."),
    QT_TRANSLATE_NOOP("core",
        "Steps take {1} of what the benches say for {2}: the model does not explain this machine, and what "
        "follows is not calibrated but scaled."),
    QT_TRANSLATE_NOOP("core", "The files that were written lay in memory: nothing was learned of the file system."),
    QT_TRANSLATE_NOOP("core",
        "A product beside an all-reduce hid {1} of the shorter one here; \"{2}\" is taken to hide up to {3}, which "
        "stays as it was: it depends on how that software does it."),
    QT_TRANSLATE_NOOP("core", "Other programs ran while power was measured: those loads were left out."),
    QT_TRANSLATE_NOOP("core", "No library's attention was measured, so the device keeps the preset's: {1}."),
    QT_TRANSLATE_NOOP("core", "Of a library's attention {1} of {2} points were measured: {3}."),
    QT_TRANSLATE_NOOP("core", "there is no python3, and PLIMSOLL_PYTHON names no other"),
    QT_TRANSLATE_NOOP("core", "PLIMSOLL_PYTHON names no program that can be run"),
    QT_TRANSLATE_NOOP("core", "its Python cannot be started"),
    QT_TRANSLATE_NOOP("core", "its Python has no PyTorch"),
    QT_TRANSLATE_NOOP("core", "its PyTorch sees no such device"),
    QT_TRANSLATE_NOOP("core", "its PyTorch is older than 2.0"),
    QT_TRANSLATE_NOOP("core", "it took longer than {1} s"),
    QT_TRANSLATE_NOOP("core", "what came back cannot be read"),
    QT_TRANSLATE_NOOP("core", "its Python ended with exit code {1}"),
    QT_TRANSLATE_NOOP("core", "PyTorch refused the others"),
    QT_TRANSLATE_NOOP("core",
        "Too few times of a library's attention can be used, so the device keeps the preset's: kernels that are not "
        "fused and a device that waited for Python do not count"),
    QT_TRANSLATE_NOOP("core",
        "{1} of the times of a library's attention lie beyond the device's peak: they were left out of the fit"),
    QT_TRANSLATE_NOOP("core", "Attention of {1} ({2})"),
    QT_TRANSLATE_NOOP("core", "the log is not complete: {1}"),
    QT_TRANSLATE_NOOP("core",
        "The predictions are sealed by a checksum of 64 bits (FNV-1a), as engines wrote before SHA-256: it shows "
        "that the log was damaged, not that somebody changed it on purpose."),
    QT_TRANSLATE_NOOP("core", "Unavailable: no energy counter can be read on this machine, so joules stay estimates."),
    QT_TRANSLATE_NOOP("core", "Unavailable: no energy counter can be read on this machine, so joules stay modelled."),
    QT_TRANSLATE_NOOP("core", "Unavailable: nothing is said of energy counters, so joules stay modelled."),
    QT_TRANSLATE_NOOP("core", "Unavailable: there are counters, but no layout has a number, so joules stay modelled."),
    QT_TRANSLATE_NOOP("core",
        "Unavailable: there are counters, but no layout has a number, so joules stay modelled. \"{1}\": {2}."),
    QT_TRANSLATE_NOOP("core", "Measured by the machine's own counters in {1} of {2} layouts."),
    QT_TRANSLATE_NOOP("core", "Measured by the machine's own counters in {1} of 1 layout."),
    QT_TRANSLATE_NOOP("core", "Measured by the machine's own counters in {1} of {2} steps."),
    QT_TRANSLATE_NOOP("core",
        "Modelled joules follow from watts that the power bench measured, and from the preset's where it told "
        "nothing."),
    QT_TRANSLATE_NOOP("core", "Modelled joules follow from the preset's power figures, which nothing here measured."),
    QT_TRANSLATE_NOOP("core", "{1} on {2} of {3} nodes: can be read, of {4}"),
    QT_TRANSLATE_NOOP("core", "{1}: can be read, of {2}"),
    QT_TRANSLATE_NOOP("core", "{1}: can be read"),
    QT_TRANSLATE_NOOP("core", "{1}: cannot be read"),
    QT_TRANSLATE_NOOP("core", "The engine trains without dropout."),
    QT_TRANSLATE_NOOP("core", "The vocabulary is the padded one, {1}."),
    QT_TRANSLATE_NOOP("core", "In fp32 a parameter has 16 bytes of states."),
    QT_TRANSLATE_NOOP("core", "yours, set on the command line"),
    QT_TRANSLATE_NOOP("core", "yours, set on {1}"),
    QT_TRANSLATE_NOOP("core", "yours"),
    QT_TRANSLATE_NOOP("core", "{1}, predicted"),
    QT_TRANSLATE_NOOP("core", "{1}, measured"),
    QT_TRANSLATE_NOOP("core", "{1} (fitted)"),
    QT_TRANSLATE_NOOP("core", "{1} (not counted)"),
    QT_TRANSLATE_NOOP("core", "{1} (disturbed)"),
};

struct KeptPattern {
    QRegularExpression english;
    const char* source;
};

// "Width {1}" recognises "Width 768"; its first place is its first capture.
std::vector<KeptPattern> compiled() {
    std::vector<KeptPattern> all;
    for (const char* source : patterns) {
        QString expression = QRegularExpression::escape(QString::fromUtf8(source));
        static const QRegularExpression place(QStringLiteral("\\\\\\{(\\d)\\\\\\}"));
        // A sentence may quote another; in the words of a layout places are numbers or names.
        static const QRegularExpression sentence(QStringLiteral("[.:,;(\"]"));
        const bool quotes = sentence.match(QString::fromUtf8(source)).hasMatch();
        expression.replace(place, quotes ? QStringLiteral("(?<p\\1>.+?)") : QStringLiteral("(?<p\\1>\\S+)"));
        all.push_back({QRegularExpression(QRegularExpression::anchoredPattern(expression)), source});
    }
    return all;
}

QString in_place(const QRegularExpressionMatch& found, const char* source) {
    const QString form = worded(source);
    QString text;
    for (qsizetype i = 0; i < form.size(); ++i) {
        const bool place = form[i] == u'{' && i + 2 < form.size() && form[i + 1].isDigit() && form[i + 2] == u'}';
        if (!place) {
            text += form[i];
            continue;
        }
        text += worded_kept(found.captured(QStringLiteral("p%1").arg(form[i + 1])).toStdString());
        i += 2;
    }
    return text;
}

}  // namespace

QString worded_kept(std::string_view english) {
    const QString said = to_qt(english);
    if (const QString whole = worded(english); whole != said || language_spoken() == QStringLiteral("en")) return whole;
    static const std::vector<KeptPattern> known = compiled();
    for (const KeptPattern& p : known)
        if (const auto found = p.english.match(said); found.hasMatch()) return in_place(found, p.source);
    const QStringList parts = said.split(QStringLiteral(", "));   // "12 layers, two data ranks"
    QStringList shown;
    for (const QString& part : parts) shown << (parts.size() > 1 ? worded_kept(part.toStdString()) : part);
    return shown == parts ? said : shown.join(QObject::tr(", "));
}

}  // namespace plimsoll
