"""Writes weights/silero-v6-16k.bin from the ONNX file of the Python package silero-vad (6.2.x).

    pip install --no-deps silero-vad onnx numpy protobuf typing_extensions ml_dtypes
    python extract-weights.py site-packages/silero_vad/data/silero_vad_16k_op15.onnx ../weights/silero-v6-16k.bin

Layout: little-endian float32, the tensors of ORDER one after the other. Convolution weights are stored as
[output][tap][input channel], so that one output is one dot product over consecutive frames. The Fourier basis is left out:
it is a Hann window times cosine and sine, checked here to 1e-6.
"""
import math
import sys

import numpy as np
import onnx
from onnx import numpy_helper

ORDER = (
    "model.encoder.0.reparam_conv", "model.encoder.1.reparam_conv",
    "model.encoder.2.reparam_conv", "model.encoder.3.reparam_conv",
)
source, target = sys.argv[1:3]
tensors = {t.name: numpy_helper.to_array(t) for t in onnx.load(source).graph.initializer}

basis = tensors["model.stft.forward_basis_buffer"][:, 0, :]
n = np.arange(256)
window = 0.5 - 0.5 * np.cos(2 * math.pi * n / 256)
for k in range(129):
    assert np.abs(basis[k] - window * np.cos(2 * math.pi * k * n / 256)).max() < 1e-6, k
    assert np.abs(basis[129 + k] + window * np.sin(2 * math.pi * k * n / 256)).max() < 1e-6, k

with open(target, "wb") as out:
    def write(array):
        out.write(np.ascontiguousarray(array, dtype="<f4").tobytes())

    for name in ORDER:
        write(tensors[name + ".weight"].transpose(0, 2, 1))
        write(tensors[name + ".bias"])
    write(tensors["model.decoder.rnn.weight_ih"])
    write(tensors["model.decoder.rnn.weight_hh"])
    write(tensors["model.decoder.rnn.bias_ih"] + tensors["model.decoder.rnn.bias_hh"])
    write(tensors["model.decoder.decoder.2.weight"].reshape(-1))
    write(tensors["model.decoder.decoder.2.bias"])
