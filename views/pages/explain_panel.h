#pragma once
// How a number comes about, as a tree down to its sources.

#include <QComboBox>

#include "core/answers/explain/explain.h"
#include "views/document/workspace.h"

#include <QLabel>
#include <QTreeWidget>

namespace plimsoll {

class ExplainPanel : public QWidget {
    Q_OBJECT
public:
    explicit ExplainPanel(Workspace& workspace, QWidget* parent = nullptr);
    void explain_id(const QString& id);
    QString text() const { return text_; }
    // Ids of what can be explained, with the names people see.
    std::vector<std::pair<QString, QString>> numbers();

protected:
    void showEvent(QShowEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void refresh();
    void name_choices();
    void fit_columns();
    void describe(QTreeWidgetItem*);
    void show_measurement(QTreeWidgetItem*);

    Workspace& workspace_;
    QComboBox* which_;
    QTreeWidget* tree_;
    QLabel* formula_;
    QString text_;  // what "copy" copies
    bool behind_ = true, named_ = false;
};

}  // namespace plimsoll
