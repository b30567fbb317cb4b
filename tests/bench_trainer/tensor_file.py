"""Named matrices in one file, as engine/model/tensor_file.h defines them.

    write("weights.bin", {"wte": array2d, "lnf.gain": array1d})      # vectors become one row
    tensors = read("dump.bin")                                      # name -> array of 2 dimensions
"""
import struct

import numpy as np

MAGIC, VERSION = b"PLTENSOR", 1


def write(path, tensors, dtype=np.float32):
    """Writes every tensor as `dtype` (float32 or float64), little-endian."""
    with open(path, "wb") as f:
        f.write(MAGIC + struct.pack("<II", VERSION, len(tensors)))
        for name, values in tensors.items():
            values = np.atleast_2d(np.asarray(values))
            raw = name.encode()
            f.write(struct.pack("<I", len(raw)) + raw)
            f.write(struct.pack("<Iqq", np.dtype(dtype).itemsize, *values.shape))
            f.write(np.ascontiguousarray(values, dtype=np.dtype(dtype).newbyteorder("<")).tobytes())


def read(path):
    """All tensors as arrays of two dimensions. ValueError when the file is none of ours or cut short."""
    tensors = {}
    with open(path, "rb") as f:
        if f.read(8) != MAGIC:
            raise ValueError(f"{path}: is not a tensor file")
        version, count = struct.unpack("<II", f.read(8))
        if version != VERSION:
            raise ValueError(f"{path}: version {version}, expected {VERSION}")
        for _ in range(count):
            name = f.read(struct.unpack("<I", f.read(4))[0]).decode()
            size, rows, cols = struct.unpack("<Iqq", f.read(20))
            data = f.read(size * rows * cols)
            if len(data) != size * rows * cols:
                raise ValueError(f"{path}: ends inside {name}")
            tensors[name] = np.frombuffer(data, dtype=f"<f{size}").reshape(rows, cols)
    return tensors
