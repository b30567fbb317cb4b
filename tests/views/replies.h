#pragma once
// Answers the dialogs that a window opens, one after the other, as a user would.
//
//   Replies replies({press(QMessageBox::Save), choose_file(path)});
//   window.close();
//   QCOMPARE(replies.titles(), QStringList({"Unsaved changes", "Save the plan"}));
//
// A dialog for which no reply is left is rejected, so that no test waits for ever; its title is listed like the others.

#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

#include <deque>
#include <functional>

namespace plimsoll {

using Reply = std::function<void(QDialog&)>;

inline Reply press(QMessageBox::StandardButton button) {
    return [button](QDialog& dialog) {
        auto* box = qobject_cast<QMessageBox*>(&dialog);
        if (box && box->button(button)) box->button(button)->click();
        else dialog.reject();
    };
}

// A button by its text, without mnemonic.
inline Reply press(const QString& text) {
    return [text](QDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (QString(button->text()).remove('&') == text) return button->click();
        dialog.reject();
    };
}

inline Reply choose_file(const QString& path) {
    return [path](QDialog& dialog) {
        if (auto* files = qobject_cast<QFileDialog*>(&dialog)) files->selectFile(path);
        dialog.accept();
    };
}

class Replies {
public:
    explicit Replies(std::deque<Reply> replies = {}) : replies_(std::move(replies)) {
        QObject::connect(&look_, &QTimer::timeout, [this] { reply_to_one(); });
        look_.start(5);  // milliseconds
    }
    const QStringList& titles() const { return titles_; }

private:
    void reply_to_one() {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog || !dialog->isVisible()) return;
        titles_ += dialog->windowTitle();
        if (replies_.empty()) return dialog->reject();
        const Reply reply = std::move(replies_.front());
        replies_.pop_front();
        reply(*dialog);
    }

    std::deque<Reply> replies_;
    QStringList titles_;
    QTimer look_;
};

}  // namespace plimsoll
