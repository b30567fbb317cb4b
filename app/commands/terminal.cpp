#include "app/commands/terminal.h"

#include "app/commands/command_line.h"
#include "core/values/basics/foreign_text.h"

#include <cerrno>
#include <iostream>
#include <system_error>

namespace plimsoll {

namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 16;

}  // namespace

bool VisibleBuffer::hand_over(bool all) {
    const std::size_t size = waiting_.size() - (all ? 0 : incomplete_end(waiting_));
    const std::string text = visible(std::string_view(waiting_).substr(0, size));
    waiting_.erase(0, size);
    errno = 0;
    const bool arrived = to_.sputn(text.data(), std::streamsize(text.size())) == std::streamsize(text.size());
    if (!arrived && failure_ == 0) failure_ = errno != 0 ? errno : EIO;
    return arrived;
}

std::streamsize VisibleBuffer::xsputn(const char* text, std::streamsize size) {
    waiting_.append(text, std::size_t(size));
    return waiting_.size() < most_waiting || hand_over(false) ? size : 0;
}

int VisibleBuffer::overflow(int c) {
    if (c == traits_type::eof()) return 0;
    const char one = char(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

int VisibleBuffer::sync() {
    if (!hand_over(true)) return -1;
    errno = 0;
    if (to_.pubsync() == 0) return 0;
    if (failure_ == 0) failure_ = errno != 0 ? errno : EIO;
    return -1;
}

Terminal::Terminal()
    : out_(std::cout.rdbuf()), err_(std::cerr.rdbuf()), visible_out_(*out_), visible_err_(*err_) {
    std::cout.rdbuf(&visible_out_);
    std::cerr.rdbuf(&visible_err_);
}

Terminal::~Terminal() {
    std::cout.flush();
    std::cerr.flush();
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
}

int Terminal::exit_code(int code) {
    std::cout.flush();
    if (visible_out_.failure() == 0) return code;
    std::cerr << "plimsoll: the answer could not be written: "
              << std::generic_category().message(visible_out_.failure()) << "\n";
    return code == exit_ok ? int(exit_failure) : code;
}

}  // namespace plimsoll
