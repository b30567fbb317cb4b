#pragma once
// Work beside the window of which only the latest answer counts.
//
//   job_.start([plan](std::stop_token stop) -> LatestJob::Deliver {
//       auto found = std::make_shared<Study>(study(plan, space, options, stop));
//       return [this, found] { show(*found); };       // in the window's thread
//   });
//
// A new start stops the work before it, whose answer never arrives; neither
// waits for the other. One thread, started when first needed.

#include <QObject>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace plimsoll {

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

signals:
    void busy_changed(bool busy);

private:
    void run();
    void hand_over(int number, const Deliver&);
    void set_busy(bool);

    std::mutex mutex_;    // guards what follows, up to the thread
    std::condition_variable wake_;
    Work waiting_;
    int number_ = 0;      // of the latest start
    std::stop_source stop_;
    bool leaving_ = false;
    std::thread thread_;
    bool busy_ = false;   // of the window's thread alone
};

}  // namespace plimsoll
