#pragma once
// What a trial trains and how it is spread, to be chosen.

#include <QWidget>

#include "core/evidence/calibration/plan/trial.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSpinBox>

namespace plimsoll {

class FlowLayout;

class TrialForm : public QWidget {
    Q_OBJECT
public:
    explicit TrialForm(QWidget* parent = nullptr);

    TrialRun trial() const;
    void set_trial(const TrialRun&);

signals:
    void changed();

private:
    void add(QWidget* field, const char* name, const QString& label, const QString& help);
    QSpinBox* number(const char* name, const QString& label, const QString& help, int most);
    QComboBox* choice(const char* name, const QString& label, const QString& help, const QStringList& items);

    FlowLayout* flow_;
    QComboBox* model_;
    QSpinBox *data_, *tensor_, *pipeline_;
    QComboBox *zero_, *recompute_;
    QCheckBox* sequence_;
    QSpinBox *micro_, *accumulate_, *steps_;
};

}  // namespace plimsoll
