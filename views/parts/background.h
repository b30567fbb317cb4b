#pragma once
// Work beside the window: one job of which only the latest answer counts, and a search with its progress.
//
//   job_.start([plan](std::stop_token stop) -> LatestJob::Deliver {
//       auto found = std::make_shared<Study>(study(plan, space, options, stop));
//       return [this, found] { show(*found); };       // in the window's thread
//   });
//
//   const ThreadShare share(workspace.search_threads());    // in the job: several at once divide them
//   options.threads = share.count();

#include <QObject>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace plimsoll {

// A timer that rings once, so many milliseconds after each start.
template <class Receiver, class Rings>
void ring_once(QTimer& timer, int milliseconds, Receiver* receiver, Rings rings) {
    timer.setSingleShot(true);
    timer.setInterval(milliseconds);
    QObject::connect(&timer, &QTimer::timeout, receiver, rings);
}

// A new start stops the work before it, whose answer never arrives; neither waits for the other. One thread, started
// when it is first needed. Work that throws, as where memory runs out, has failed and nothing else ends with it.
class LatestJob : public QObject {
    Q_OBJECT
public:
    using Deliver = std::function<void()>;
    using Work = std::function<Deliver(std::stop_token)>;

    explicit LatestJob(QObject* parent = nullptr) : QObject(parent) {}
    ~LatestJob() override;

    void start(Work);
    void stop();          // the work ends early and its answer arrives
    void forget();        // it ends early and nothing arrives
    bool busy() const { return busy_; }
    static bool any_busy();   // of all in the program: an answer is still to come
    static QString why_it_failed(const std::exception&);   // a sentence

signals:
    void busy_changed(bool busy);
    void failed(const QString& why);  // after busy_changed()

private:
    void run();
    void hand_over();
    void set_busy(bool);

    std::mutex mutex_;    // guards what follows, up to the thread
    std::condition_variable wake_;
    Work waiting_;
    Deliver arrived_;     // the latest answer, until the window's thread takes it
    int number_ = 0;      // of the latest start
    std::stop_source stop_;
    bool leaving_ = false;
    std::thread thread_;
    bool busy_ = false;   // of the window's thread alone
};

// Threads for one job while it lives: of so many for all jobs together those that others have not taken, and one at
// least.
class ThreadShare {
public:
    explicit ThreadShare(int most);
    ~ThreadShare();
    ThreadShare(const ThreadShare&) = delete;
    ThreadShare& operator=(const ThreadShare&) = delete;
    int count() const { return count_; }

private:
    int count_;
};

// A search beside the window, with a button that starts or cancels it and a bar that shows how far it is. The page that
// owns it connects the button.
//
//   search_.start([plan](std::stop_token stop, const BackgroundSearch::Progress& note) -> LatestJob::Deliver {
//       auto found = std::make_shared<Study>(study(plan, space, options, stop, note));
//       return [this, found] { adopt(*found); };
//   });
class BackgroundSearch : public QObject {
    Q_OBJECT
public:
    using Progress = std::function<void(long long done, long long count)>;  // may be called from any thread
    using Work = std::function<LatestJob::Deliver(std::stop_token, const Progress&)>;
    struct Tips {
        QString start, cancel;  // what the button does
    };

    // Buttons and bars belong to the page that places them.
    explicit BackgroundSearch(const Tips& tips, QObject* parent = nullptr);

    void start(const Work&);
    void stop() { job_.stop(); }      // what was found up to then arrives
    void forget() { job_.forget(); }  // nothing arrives
    bool busy() const { return job_.busy(); }
    QPushButton* button() const { return button_; }
    QProgressBar* bar() const { return bar_; }

signals:
    void busy_changed(bool busy);
    void failed(const QString& why);  // a sentence; nothing was found

private:
    struct Count {
        std::atomic<long long> done = 0, all = 0;
    };

    void show_busy(bool busy);
    void show_progress();

    Tips tips_;
    QPushButton* button_;
    QProgressBar* bar_;
    std::shared_ptr<Count> count_ = std::make_shared<Count>();  // of the latest start; the work before keeps its own
    QTimer watch_;                                              // looks at the count while a search runs
    LatestJob job_;                                             // last: it ends before the others go
};

}  // namespace plimsoll
