#pragma once
// The kinds of the model's layers as they are edited: the pattern, a letter a layer, with brackets and repeats, that of
// a module which predicts further tokens, and a table with a column for each kind and the lines that some kind uses.
// What cannot be part of the plan is said below its field and leaves the plan as it was. A model whose layers only
// follow from its experts and windows is offered to have them stated.

#include "views/inputs/checked_line.h"
#include "views/parts/widgets.h"

#include <QPushButton>
#include <QTableWidget>

namespace plimsoll {

class KindsEditor : public QWidget {
    Q_OBJECT
public:
    explicit KindsEditor(Workspace& workspace, QWidget* parent = nullptr);

    void present(const Snapshot&);
    void commit();    // the patterns that are being typed become part of the plan now
    void give_up();   // they are left for the plan's
    void focus_pattern();
    QTableWidget* table() const { return table_; }
    QLineEdit* pattern() const { return pattern_; }
    QLineEdit* further() const { return further_; }
    QString message() const { return message_->text(); }   // what is wrong, whole; empty: nothing

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void build_patterns();
    void build_table();
    void fill(const Model&);
    void fit_table();
    void take_cell(int row, int column);
    void propose(const Model&, const QString& name);
    void say(const QString& what);
    void add_kind();
    void remove_kind();
    void state_kinds();
    void note_column();

    Workspace& workspace_;
    QWidget *stated_, *offer_, *further_row_;
    CheckedLine *pattern_, *further_;
    QLabel *length_, *message_;
    QTableWidget* table_;
    QPushButton *add_, *remove_;
    Model shown_;             // what the fields are of
    bool filling_ = false, shown_once_ = false;
};

}  // namespace plimsoll
