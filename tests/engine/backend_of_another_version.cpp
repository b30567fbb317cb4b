// A back end as another release would have it: what its table holds beyond the version is not known.
#include "engine/cuda/abi.h"

extern "C" const PlimsollBackend* plimsoll_backend_v1(void) {
    static PlimsollBackend table{};
    table.version = PLIMSOLL_ABI + 1;
    return &table;
}
