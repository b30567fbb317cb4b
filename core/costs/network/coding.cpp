#include "core/costs/network/coding.h"

namespace plimsoll {

Coding coding_of(const Scenario& s, Traffic t) {
    const Codec codec = codec_of(s, t);
    if (codec.kind == CodecKind::none) return {};
    const Device& d = s.machine.device;
    const CodecSpeed speed = d.codecs.of(codec.kind);
    return {codec.kind, compression_ratio(codec, value_bytes(s, t)), 1 / (speed.encode * d.bandwidth),
            1 / (speed.decode * d.bandwidth), d.efficiency.kernel_floor, s.compression.encoding == Encoding::once};
}

bool gains(const Coding& c, ByteRate rate) { return (1 - 1 / c.ratio) / rate > c.encode + c.decode; }

}  // namespace plimsoll
