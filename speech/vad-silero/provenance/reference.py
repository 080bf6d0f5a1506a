"""Writes src/test/reference.json: what onnxruntime gives for src/test/speech.s16le, one probability per 512 samples.

    pip install --no-deps silero-vad onnxruntime numpy
    python reference.py site-packages/silero_vad/data/silero_vad_16k_op15.onnx ../src/test
"""
import json
import sys

import numpy as np
import onnxruntime

model, folder = sys.argv[1:3]
session = onnxruntime.InferenceSession(model)
audio = np.fromfile(folder + "/speech.s16le", dtype="<i2").astype(np.float32) / 32768
state, context, values = np.zeros((2, 1, 128), np.float32), np.zeros(64, np.float32), []
for start in range(0, len(audio) - 511, 512):
    frame = audio[start:start + 512]
    probability, state = session.run(None, {
        "input": np.concatenate([context, frame])[None], "state": state, "sr": np.array(16000, np.int64)})
    context = frame[-64:]
    values.append(round(float(probability[0, 0]), 7))
json.dump(values, open(folder + "/reference.json", "w"))
print(len(values), "frames,", sum(v > 0.5 for v in values), "of them speech")
