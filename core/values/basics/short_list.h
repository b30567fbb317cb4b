#pragma once
// A list of at most so many values, in place. Only those it has are made and copied.
//
//   ShortList<Gemm, 20> list;
//   list.add(gemm);
//   for (const Gemm& g : list) ...

#include <memory>
#include <type_traits>

namespace plimsoll {

template <class T, int most>
class ShortList {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    ShortList() {}   // values are made as they are added
    ShortList(const ShortList& o) { *this = o; }
    ShortList& operator=(const ShortList& o) {
        count_ = o.count_;
        std::uninitialized_copy_n(o.all_, count_, all_);
        return *this;
    }

    void add(const T& value) { std::construct_at(all_ + count_++, value); }
    int size() const { return count_; }
    bool empty() const { return count_ == 0; }
    const T* begin() const { return all_; }
    const T* end() const { return all_ + count_; }
    const T& back() const { return all_[count_ - 1]; }
    const T& operator[](int i) const { return all_[i]; }

private:
    union {
        T all_[most];
    };
    int count_ = 0;
};

}  // namespace plimsoll
