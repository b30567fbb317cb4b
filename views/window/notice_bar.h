#pragma once
// What the window has to tell when it opens, one matter after the other, in a bar that stops nobody.
//
//   notices->add({tr("\"Ours\" has changes that were not saved."),
//                 {{tr("Recover"), "recover", [this] { return take_up(); }}, {tr("Later"), "later", {}}}});

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <deque>
#include <functional>
#include <vector>

namespace plimsoll {

struct Notice {
    struct Answer {
        QString label;
        QString name;               // of its button, for tests
        std::function<bool()> act;  // false: the matter stays; empty: nothing but away with it
    };
    QString text;                   // may hold text of files
    std::vector<Answer> answers;
    std::function<bool()> settled = {};  // whether another answer has settled this matter as well
};

class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);  // hidden while there is nothing to tell

    void add(Notice);
    std::size_t count() const { return notices_.size(); }
    QString text() const { return text_->text(); }  // of the one in view
    QPushButton* button(const QString& name) const;

private:
    void show_first();
    void show_text();
    void answered(std::size_t which);

    std::deque<Notice> notices_;
    QLabel* text_;
    QWidget* buttons_ = nullptr;
};

}  // namespace plimsoll
