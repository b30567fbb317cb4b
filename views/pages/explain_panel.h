#pragma once
// How a number comes about, as a tree down to its sources. Values stand left of the terms, which wrap, so that both can
// be read at any depth of a narrow panel; above the tree stands the way from the number to the selected term.

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
    void build_tree();
    void refresh();
    void name_choices();
    void describe(QTreeWidgetItem*);
    void show_measurement(QTreeWidgetItem*);

    Workspace& workspace_;
    QComboBox* which_;
    QTreeWidget* tree_;
    QLabel *path_, *formula_;
    QString text_, latex_;  // what is copied
    QString shown_;         // id of the number in the tree
    bool behind_ = true, named_ = false;
};

}  // namespace plimsoll
