#pragma once
// What asks the program to end from outside: SIGTERM and SIGINT, SIGHUP of a terminal that closes, and the desktop's
// session.
//
//   EndSignals ends;
//   QObject::connect(&ends, &EndSignals::asked, [&](int signal) { window.end(); app.exit(128 + signal); });
//
// A handler may do next to nothing: it writes a byte into a pipe, which the event loop reads. What was ignored when the
// program started, as under nohup, stays ignored. The second of a kind ends the program at once, as without this class.

#include <QGuiApplication>
#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace plimsoll {

class EndSignals : public QObject {
    Q_OBJECT
public:
    EndSignals();
    ~EndSignals() override;  // signals do again what they did before

signals:
    void asked(int signal);

private:
    void read();

    std::unique_ptr<QSocketNotifier> news_;
};

// The desktop's session: it asks for what is not saved to be kept, possibly more than once, then it ends the program
// without time for questions. Qt passes the end on as if the last window were closed, which would ask.
class EndOfSession : public QObject {
    Q_OBJECT
public:
    explicit EndOfSession(QGuiApplication&);

signals:
    void keep();   // answered before the session goes on
    void ended();  // by the session, not by closing the window

protected:
    bool eventFilter(QObject* watched, QEvent*) override;
};

}  // namespace plimsoll
