// Token and position embeddings and their gradients, without atomics.
#include "device.cuh"
#include "rows.cuh"

namespace plimsoll::device {

namespace {

constexpr int threads = 128, per_lane = 4, per_warp = warp * per_lane;

__device__ std::size_t flat_index() { return std::size_t(blockIdx.x) * threads + threadIdx.x; }

template <class Real>
__global__ void embed_rows(Real* y, const Real* table, const int32_t* ids, int C, int first, int V) {
    const int id = ids[blockIdx.x] - first;
    for (int c = threadIdx.x; c < C; c += threads)
        y[std::size_t(blockIdx.x) * C + c] = id >= 0 && id < V ? table[std::size_t(id) * C + c] : to_real<Real>(0.0f);
}

// One block a row r. The first row with an id adds up all rows with that id, in their order; the others do nothing.
// A warp owns 128 columns and looks at 32 ids at a time.
template <class Real>
__global__ void embed_rows_gradient(float* dtable, const Real* dy, const int32_t* ids, int R, int C, int first, int V) {
    const int r = blockIdx.x, wanted = ids[r], lane = threadIdx.x % warp;
    if (wanted < first || wanted >= first + V) return;  // the whole block: no one waits below
    for (int start = 0; start < r; start += threads) {
        const int s = start + threadIdx.x;
        if (__syncthreads_or(s < r && ids[s] == wanted)) return;
    }
    for (int tile = threadIdx.x / warp * per_warp; tile < C; tile += threads * per_lane) {
        float sum[per_lane] = {};
        for (int start = r; start < R; start += warp) {
            unsigned same = __ballot_sync(0xffffffffu, start + lane < R && ids[start + lane] == wanted);
            for (; same; same &= same - 1) {
                const Real* row = dy + std::size_t(start + __ffs(int(same)) - 1) * C;
                for (int i = 0; i < per_lane; ++i) {
                    const int c = tile + i * warp + lane;
                    if (c < C) sum[i] += to_float(row[c]);
                }
            }
        }
        for (int i = 0; i < per_lane; ++i) {
            const int c = tile + i * warp + lane;
            if (c < C) dtable[std::size_t(wanted - first) * C + c] += sum[i];
        }
    }
}

template <class Real>
__global__ void add_position_rows(Real* y, const Real* table, std::size_t n, int C, int first_row, int T) {
    const std::size_t at = flat_index();
    if (at >= n) return;
    const std::size_t position = (first_row + at / C) % T;
    y[at] = to_real<Real>(to_float(y[at]) + to_float(table[position * C + at % C]));
}

// One thread an element of the table: rows of its position are T apart.
template <class Real>
__global__ void positions_rows_gradient(float* dtable, const Real* dy, int R, int C, int first_row, int T) {
    const std::size_t at = flat_index();
    if (at >= std::size_t(T) * C) return;
    const int position = int(at / C), c = int(at % C), offset = first_row % T;
    float sum = 0;
    for (int r = (position - offset + T) % T; r < R; r += T) sum += to_float(dy[std::size_t(r) * C + c]);
    dtable[at] += sum;
}

}  // namespace

template <class Real> int embed(Real* y, const Real* table, const int32_t* ids, int R, int C, int first, int V) {
    return launch(embed_rows<Real>, dim3(R), dim3(threads), 0, y, table, ids, C, first, V);
}

template <class Real>
int embed_gradient(float* dtable, const Real* dy, const int32_t* ids, int R, int C, int first, int V) {
    return launch(embed_rows_gradient<Real>, dim3(R), dim3(threads), 0, dtable, dy, ids, R, C, first, V);
}

template <class Real> int add_positions(Real* y, const Real* table, int R, int C, int first_row, int T) {
    const std::size_t n = std::size_t(R) * C;
    return launch(add_position_rows<Real>, dim3(blocks_for(n, threads)), dim3(threads), 0, y, table, n, C, first_row,
                  T);
}

template <class Real> int positions_gradient(float* dtable, const Real* dy, int R, int C, int first_row, int T) {
    const std::size_t n = std::size_t(T) * C;
    return launch(positions_rows_gradient<Real>, dim3(blocks_for(n, threads)), dim3(threads), 0, dtable, dy, R, C,
                  first_row, T);
}

PLIMSOLL_INSTANTIATE(embed)
PLIMSOLL_INSTANTIATE(embed_gradient)
PLIMSOLL_INSTANTIATE(add_positions)
PLIMSOLL_INSTANTIATE(positions_gradient)

}  // namespace plimsoll::device
