#pragma once
// A page that asks one question of the plan in front beside the window and shows the answer in rows, of which one can
// be taken over as an undo step. Goal and Questions are such pages.

#include "views/charts/chart.h"
#include "views/document/workspace.h"
#include "views/parts/background.h"
#include "views/parts/tables.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <optional>

namespace plimsoll {

class AnswerPage : public QWidget {
    Q_OBJECT
public:
    bool busy() const { return search_.busy(); }
    void cancel() { search_.forget(); }          // half an answer is none
    void apply();                                // the selected row's plan, as one undo step
    QPushButton* search_button() const { return search_.button(); }
    QPushButton* apply_button() const { return apply_; }
    Chart* curve() const { return curve_; }

signals:
    void applied(const QString& plan);
    void busy_changed(bool busy);

protected:
    struct Offer {
        QString name;
        Scenario plan;
    };
    // `id` begins the names of the widgets.
    AnswerPage(Workspace&, const std::string& id, const BackgroundSearch::Tips&, const std::string& figure);

    // A number that may be left out: `none` stands for nothing.
    QDoubleSpinBox* number(const char* name, int decimals, const QString& none, const QString& unit);
    virtual void begin() = 0;                    // what the button of the search does
    virtual void follow() = 0;                   // the plan, the preferences or what is asked have changed
    virtual std::optional<Offer> selected() const = 0;
    void show_selection();
    void show_stale(bool answered);              // an answer for another plan stays to be read, and says so
    void take_rows_of(TextTable&);               // Enter or a double click takes a row over
    void showEvent(QShowEvent*) override;
    void changeEvent(QEvent*) override;

    const std::string id_;
    Workspace& workspace_;
    BackgroundSearch search_;
    Scenario of_;                                // the plan that the answer is for
    QPushButton* apply_;
    QLabel *state_, *stale_;                     // the answer in sentences
    Chart* curve_;                               // and as a curve, where it is one
};

}  // namespace plimsoll
