#pragma once
// How answers are judged and what searches may take, in one dialog. A choice counts at once, so that the numbers
// behind it show what it does; nothing of it belongs to a plan.
//
//   PreferencesDialog(workspace, this).exec();

#include "views/document/workspace.h"

#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>

namespace plimsoll {

class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    explicit PreferencesDialog(Workspace& workspace, QWidget* parent = nullptr);

private:
    QDoubleSpinBox* power_limit();
    template <class Value>
    QComboBox* chooser(const QString& name, const QString& help, const std::vector<PreferenceChoice<Value>>& choices,
                       Value Preferences::*field);

    Workspace& workspace_;
};

}  // namespace plimsoll
