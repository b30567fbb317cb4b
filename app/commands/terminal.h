#pragma once
// What the program prints: shown, never obeyed, and known to have arrived.
//
//   Terminal terminal;                       // std::cout and std::cerr go through it from here on
//   return terminal.exit_code(run_command());

#include <cstdio>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

namespace plimsoll {

// Names and values from files are printed in many places. Control characters and bytes that are not UTF-8 leave the
// program as escapes ("\x1b"), whoever printed them: a file cannot move the cursor or set the title of a terminal.
class VisibleBuffer : public std::streambuf {
public:
    explicit VisibleBuffer(std::streambuf& to) : to_(to) {}
    int failure() const { return failure_; }   // errno of the first write that did not arrive; 0: all did

protected:
    int overflow(int c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

private:
    bool hand_over(bool all);                  // less a character that is not complete yet

    std::streambuf& to_;
    std::string waiting_;
    int failure_ = 0;
};

class Terminal {
public:
    Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal();
    // `code`, or exit_failure with a word about why where the answer has not arrived, as on a full disk.
    int exit_code(int code);

private:
    std::streambuf *out_, *err_;
    VisibleBuffer visible_out_, visible_err_;
};

}  // namespace plimsoll
