"""Writes a model file that is whole but knows nothing: one layer of random numbers over the bytes as words."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from typing import Any

_U32, _F32, _STRING, _ARRAY, _I32 = 4, 6, 8, 9, 5
_ALIGNED = 32
WIDTH, HEADS, FEED = 32, 2, 64
WORDS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", "a", "b"]


def write(path: Path) -> None:
    """A model of a few hundred kilobytes in the GGUF format."""
    keys = [_string(name) + value for name, value in _metadata().items()]
    tensors = _tensors()
    infos, offset = [], 0
    for name, shape in tensors.items():
        infos.append(_string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, offset))
        offset += _padded(4 * _count(shape))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(keys) + b"".join(infos)
    with path.open("wb") as out:
        out.write(head.ljust(_padded(len(head)), b"\0"))
        for name, shape in tensors.items():
            out.write(_numbers(name, _count(shape)).ljust(_padded(4 * _count(shape)), b"\0"))


def _metadata() -> dict[str, bytes]:
    kinds = [2, 3, 3, *[6] * 256, 1, 1, 1]
    return {
        "general.architecture": _value(_STRING, "llama"),
        "llama.context_length": _value(_U32, 512),
        "llama.embedding_length": _value(_U32, WIDTH),
        "llama.block_count": _value(_U32, 1),
        "llama.feed_forward_length": _value(_U32, FEED),
        "llama.attention.head_count": _value(_U32, HEADS),
        "llama.attention.head_count_kv": _value(_U32, HEADS),
        "llama.attention.layer_norm_rms_epsilon": _value(_F32, 1e-5),
        "llama.rope.dimension_count": _value(_U32, WIDTH // HEADS),
        "tokenizer.ggml.model": _value(_STRING, "llama"),
        "tokenizer.ggml.tokens": _array(_STRING, WORDS),
        "tokenizer.ggml.scores": _array(_F32, [0.0] * len(WORDS)),
        "tokenizer.ggml.token_type": _array(_I32, kinds),
        "tokenizer.ggml.bos_token_id": _value(_U32, 1),
        "tokenizer.ggml.eos_token_id": _value(_U32, 2),
        "tokenizer.chat_template": _value(_STRING, "{% for m in messages %}{{ m['content'] }} {% endfor %}"),
    }


def _tensors() -> dict[str, tuple[int, ...]]:
    layer = {
        "attn_norm": (WIDTH,),
        "attn_q": (WIDTH, WIDTH),
        "attn_k": (WIDTH, WIDTH),
        "attn_v": (WIDTH, WIDTH),
        "attn_output": (WIDTH, WIDTH),
        "ffn_norm": (WIDTH,),
        "ffn_gate": (WIDTH, FEED),
        "ffn_up": (WIDTH, FEED),
        "ffn_down": (FEED, WIDTH),
    }
    ends = {
        "token_embd.weight": (WIDTH, len(WORDS)),
        "output_norm.weight": (WIDTH,),
        "output.weight": (WIDTH, len(WORDS)),
    }
    return ends | {f"blk.0.{name}.weight": shape for name, shape in layer.items()}


def _numbers(name: str, count: int) -> bytes:
    chance = random.Random(name)
    return struct.pack(f"<{count}f", *(1.0 if "norm" in name else chance.gauss(0, 0.2) for _ in range(count)))


def _count(shape: tuple[int, ...]) -> int:
    return shape[0] if len(shape) == 1 else shape[0] * shape[1]


def _padded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(kind: int, value: Any) -> bytes:
    return struct.pack("<I", kind) + _bare(kind, value)


def _array(kind: int, values: list[Any]) -> bytes:
    return struct.pack("<IIQ", _ARRAY, kind, len(values)) + b"".join(_bare(kind, value) for value in values)


def _bare(kind: int, value: Any) -> bytes:
    if kind == _STRING:
        return _string(value)
    return struct.pack({_U32: "<I", _F32: "<f", _I32: "<i"}[kind], value)
