#pragma once
// A heading that folds its content away.

#include <QToolButton>
#include <QVBoxLayout>

namespace plimsoll {

class Section : public QWidget {
    Q_OBJECT
public:
    enum class Level { group, details };
    Section(const QString& title, Level level, bool open, QWidget* parent = nullptr);

    const QString& title() const { return title_; }
    void add(QWidget* row) { content_->addWidget(row); }
    // Says in the heading why nothing below it matters; empty: it does.
    void set_idle(const QString& reason);
    // While a filter is on, whatever matches is shown open; afterwards the user's choice returns.
    void set_filtered(bool filtering, bool any_match);

private:
    void refresh();

    QString title_;
    QToolButton* heading_;
    QWidget* body_;
    QVBoxLayout* content_;
    bool filtering_ = false;
};

}  // namespace plimsoll
