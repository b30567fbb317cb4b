#pragma once
// Energy where only power is told: trapezia between looks.
//
//   Integral sum;   double joules = sum.take(watts, now_s);     // since the first look

namespace plimsoll::engine::power {

class Integral {
public:
    double take(double watts, double now_s) {
        if (begun_) joules_ += 0.5 * (watts + watts_) * (now_s - at_s_);
        begun_ = true, watts_ = watts, at_s_ = now_s;
        return joules_;
    }
    void restart() { begun_ = false; }  // what was used since the last look is not known

private:
    bool begun_ = false;
    double watts_ = 0, at_s_ = 0, joules_ = 0;
};

}  // namespace plimsoll::engine::power
