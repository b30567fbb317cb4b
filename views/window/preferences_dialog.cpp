#include "views/window/preferences_dialog.h"

#include "views/parts/arrange.h"

#include <QFormLayout>
#include <QLabel>

namespace plimsoll {

PreferencesDialog::PreferencesDialog(Workspace& workspace, QWidget* parent) : QDialog(parent), workspace_(workspace) {
    setWindowTitle(tr("Preferences"));
    auto* form = new QFormLayout;
    form->addRow(tr("Device memory to keep &free:"),
                 chooser(QStringLiteral("headroom"),
                         tr("A plan that leaves less is tight, and searches put it after all that leave it"),
                         headroom_choices(), &Preferences::headroom));
    form->addRow(tr("&Time, node-hours and energy:"),
                 chooser(QStringLiteral("counting"), tr("What the tiles and totals count"), counting_choices(),
                         &Preferences::counting));
    form->addRow(tr("&Hours are counted as:"),
                 chooser(QStringLiteral("hours"),
                         tr("In the tile, the chart and the tables of node-hours; the key U goes from one to the next"),
                         hour_choices(), &Preferences::hours));
    form->addRow(tr("&Memory is shown in:"),
                 chooser(QStringLiteral("memory"), tr("In tiles, charts, tables and exported figures"),
                         memory_choices(), &Preferences::memory));
    form->addRow(tr("&Durations are shown in:"),
                 chooser(QStringLiteral("durations"), tr("In tiles, charts, tables and exported figures"),
                         duration_choices(), &Preferences::durations));
    form->addRow(tr("&Power may be at most:"), power_limit());
    form->addRow(tr("Threads of &searches:"),
                 chooser(QStringLiteral("threads"),
                         tr("Of all searches beside the window together. Answers do not depend on it"),
                         thread_choices(), &Preferences::threads));
    auto* note = new QLabel(tr("Choices count at once and are kept between starts. Colours are in the View menu."));
    note->setWordWrap(true);
    setLayout(below({form, note, close_button(*this)}));
}

QDoubleSpinBox* PreferencesDialog::power_limit() {
    QDoubleSpinBox* box = number_box(0, 1e6, 3, tr(" MW"), tr("no limit"));
    box->setObjectName(QStringLiteral("preference.power"));
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setToolTip(tr("Of the facility while the plan trains, PUE counted. Searches leave out what draws more, and a "
                       "plan that does is cautioned"));
    box->setValue(workspace_.preferences().most_power / megawatt);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        Preferences p = workspace_.preferences();
        p.most_power = value * megawatt;
        workspace_.set_preferences(p);
    });
    return box;
}

template <class Value>
QComboBox* PreferencesDialog::chooser(const QString& name, const QString& help,
                                      const std::vector<PreferenceChoice<Value>>& choices,
                                      Value Preferences::*field) {
    auto* box = new QComboBox;
    box->setObjectName(QStringLiteral("preference.") + name);
    box->setToolTip(help);
    for (const auto& [value, words] : choices) {
        box->addItem(words);
        if (value == workspace_.preferences().*field) box->setCurrentIndex(box->count() - 1);
    }
    connect(box, &QComboBox::activated, this, [this, choices, field](int i) {
        Preferences p = workspace_.preferences();
        p.*field = choices[std::size_t(i)].value;
        workspace_.set_preferences(p);
    });
    return box;
}

}  // namespace plimsoll
