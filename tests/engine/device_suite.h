#pragma once
// The comparison of a device's kernels with the processor's: operations, bounds,
// and how a difference is told. Used on the stand-in and on a real device.
//
//   void each() { QFETCH(int, operation); compare(device_operations[operation], table, 6); }

#include "tests/engine/device_operations.h"

#include <QTest>

namespace plimsoll::engine {

// Bounds, of an array's largest value. Real: bf16 keeps 8 bits, so one rounding is 2^-8 = 0.4 % at most; a bias may
// be added apart, exponentials are stored before they are divided; the fused attention rounds probabilities and score
// gradients before their products. Wide: fp32 sums of at most a few thousand terms.
struct DeviceOperation {
    const char* name;
    TwinOutcome (*bf16_storage)(DeviceTwins<bf16>&);
    TwinOutcome (*f32_storage)(DeviceTwins<float>&);
    double bf16_bound, wide_bound = 1e-5, f32_bound = 1e-5;
};
#define BOTH(f) f<bf16>, f<float>
inline const DeviceOperation device_operations[] = {
    {"products", BOTH(on_products), 0.008},
    {"embeddings", BOTH(on_embeddings), 0.004},
    {"layer norms", BOTH(on_layer_norms), 0.004},
    {"rms norms", BOTH(on_rms_norms), 0.004},
    {"residuals", BOTH(on_residuals), 0.004},
    {"gelus", BOTH(on_gelus), 0.004},
    {"swiglus", BOTH(on_swiglus), 0.004},
    {"rotations", BOTH(on_rotations), 0.004, 1e-5, 3e-5},
    {"attention in tiles", on_fused_attentions<bf16>, on_plain_attentions<float>, 0.015},  // fp32 has no tiles
    {"attention by rows", BOTH(on_plain_attentions), 0.008},
    {"losses over shards", BOTH(on_losses_over_shards), 0.008},
    {"whole losses", BOTH(on_whole_losses), 0.004},
    {"updates", BOTH(on_updates), 0.004},
};

template <class Real>
TwinOutcome worst_of(TwinOutcome (*operation)(DeviceTwins<Real>&), const PlimsollBackend& table, int rounds) {
    DeviceTwins<Real> twins(table);
    TwinOutcome all;
    for (int i = 0; i < rounds; ++i) {
        const TwinOutcome one = operation(twins);
        if (one.real >= all.real) {
            all.real = one.real;
            all.real_name = one.real_name;
        }
        if (one.wide >= all.wide) {
            all.wide = one.wide;
            all.wide_name = one.wide_name;
        }
        all.bits.insert(all.bits.end(), one.bits.begin(), one.bits.end());
    }
    return all;
}

inline QString text_of(const char* storage, const TwinOutcome& o) {
    return QString("%1: %2 is off by %3, %4 by %5 of its largest")
        .arg(storage, o.real_name.c_str())
        .arg(o.real)
        .arg(o.wide_name.c_str())
        .arg(o.wide);
}

inline void compare(const DeviceOperation& o, const PlimsollBackend& table, int rounds) {
    dice.seed(7);
    const TwinOutcome narrow = worst_of<bf16>(o.bf16_storage, table, rounds),
                  full = worst_of<float>(o.f32_storage, table, rounds);
    QVERIFY2(narrow.real < o.bf16_bound && narrow.wide < o.wide_bound, qPrintable(text_of("bf16", narrow)));
    QVERIFY2(full.real < o.f32_bound && full.wide < o.wide_bound, qPrintable(text_of("fp32", full)));
    qInfo("%s", qPrintable(text_of("bf16", narrow) + "; " + text_of("fp32", full)));
}

inline void rows() {
    QTest::addColumn<int>("operation");
    for (int i = 0; i < int(std::size(device_operations)); ++i) QTest::newRow(device_operations[i].name) << i;
}

}  // namespace plimsoll::engine
