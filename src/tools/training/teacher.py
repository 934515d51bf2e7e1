#!/usr/bin/env python3
"""Trains a larger network on samples, and labels samples with it.

The engine's network is computed at every node of a search, so it has to be cheap. This one takes more than
ten thousand times as much arithmetic and sees which squares are attacked, so it learns more from the same
games. The engine's network then learns from its labels. They have less chance in them than the scores of
single searches. They cost no search, so there can be many more (Hinton, Vinyals and Dean 2015, "Distilling
the knowledge in a neural network").

    outrider data samples games --output samples --lambda 0.85 --scale 134
    outrider data samples games --output more --successors 3
    teacher.py train samples --output teacher.pt --minutes 7
    teacher.py label samples --teacher teacher.pt --weight 0.6 --output labelled
    teacher.py label more --teacher teacher.pt --output more-labelled
    outrider train labelled more-labelled --scale 134 --output network

It needs NumPy 2 and PyTorch. On an NVIDIA H200, 90 million samples take seven minutes.
"""

import argparse
import math
import os
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PRECISION = torch.bfloat16 if DEVICE == "cuda" else torch.float32

# --- Files of samples, as src/tools/training/sample_file.rs describes them ---

PROLOGUE = b"outrsmp\x01"
HEAD = 16
SAMPLE = np.dtype(
    [
        ("occupied", "<u8"),
        ("threatened", "<u8"),
        ("pieces", "u1", 16),
        ("score", "<i2"),
        ("has_points", "u1"),
        ("mirrored", "u1"),
        ("points", "<f4"),
    ]
)
# Samples that are moved to the device at a time.
CHUNK = 1 << 20
# Largest score that a label can give, in centipawns.
MAX_SCORE = 3000


def read_samples(path):
    """Returns the samples to train on and those for validation, mapped into memory."""
    with open(path, "rb") as file:
        head = file.read(HEAD)
    if head[:8] != PROLOGUE:
        raise SystemExit(f"{path}: not a file of samples; `outrider data samples` writes them")
    if (os.path.getsize(path) - HEAD) % SAMPLE.itemsize != 0:
        raise SystemExit(f"{path}: ends too soon")
    samples = np.memmap(path, dtype=SAMPLE, mode="r", offset=HEAD)
    count = int.from_bytes(head[8:], "little")
    if count > len(samples):
        raise SystemExit(f"{path}: ends too soon")
    return samples[:count], samples[count:]


# --- Bitboards: 64-bit integers of PyTorch, whose highest bit is the sign ---


def signed(bits):
    """Returns the signed integer with these 64 bits."""
    return bits - (1 << 64) if bits >> 63 else bits


FILES = 0x0101010101010101
# By file step: the squares from which the step stays on the board.
STAYS = {
    step: signed(sum(FILES << file for file in range(8) if 0 <= file + step < 8))
    for step in range(-2, 3)
}
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
KNIGHT = [(file, rank) for file in (-2, -1, 1, 2) for rank in (-2, -1, 1, 2) if abs(file) != abs(rank)]


def shifted(bits, file, rank):
    """Moves all bits by these numbers of files and ranks; those that leave the board are dropped."""
    bits, by = bits & STAYS[file], file + 8 * rank
    if by > 0:
        return bits << by
    # The shift to the right copies the sign.
    return (bits >> -by) & ((1 << (64 + by)) - 1)


def leaps(bits, steps):
    """Returns the squares that are one of these steps away."""
    attacked = torch.zeros_like(bits)
    for step in steps:
        attacked |= shifted(bits, *step)
    return attacked


def slides(bits, empty, steps):
    """Returns the squares that sliding pieces attack along these steps."""
    attacked = torch.zeros_like(bits)
    for step in steps:
        reached = bits
        for _ in range(7):
            reached = shifted(reached, *step)
            attacked |= reached
            reached &= empty
    return attacked


# --- Inputs ---

# Own pieces by role, pieces of the other side, squares attacked by each of these.
PLANES = 24
OTHER_SIDE = 8


def planes(samples):
    """Returns the input planes of samples as bitboards, mirrored so that the own king is on the files
    that the engine's network sees it on. Shape: samples, PLANES."""
    at = lambda field: torch.from_numpy(np.ascontiguousarray(samples[field])).to(DEVICE)
    squares = torch.arange(64, device=DEVICE)
    occupied = at("occupied").view(torch.int64)
    is_occupied = (occupied[:, None] >> squares) & 1
    index = (is_occupied.cumsum(1) - 1).clamp_(min=0)
    packed = at("pieces")
    pieces = torch.stack([packed & 15, packed >> 4], 2).reshape(len(samples), 32).long()
    board = torch.where(is_occupied.bool(), torch.gather(pieces, 1, index), 0)
    is_mirrored = (at("mirrored") & 1).bool()
    mirror = board.view(-1, 8, 8).flip(2).reshape(-1, 64)
    board = torch.where(is_mirrored[:, None], mirror, board)

    bits = torch.tensor([signed(1 << square) for square in range(64)], device=DEVICE)
    result = torch.empty(len(samples), PLANES, dtype=torch.int64, device=DEVICE)
    for plane in range(12):
        code = plane % 6 + 1 + OTHER_SIDE * (plane // 6)
        result[:, plane] = torch.where(board == code, bits, 0).sum(1)
    empty = torch.where(board == 0, bits, 0).sum(1)
    for side, forward in enumerate((1, -1)):
        pawns, knights, bishops, rooks, queens, kings = result[:, 6 * side : 6 * side + 6].unbind(1)
        attacks = [
            leaps(pawns, [(-1, forward), (1, forward)]),
            leaps(knights, KNIGHT),
            slides(bishops, empty, DIAGONAL),
            slides(rooks, empty, STRAIGHT),
            slides(queens, empty, DIAGONAL + STRAIGHT),
            leaps(kings, DIAGONAL + STRAIGHT),
        ]
        result[:, 12 + 6 * side : 18 + 6 * side] = torch.stack(attacks, 1)
    return result


def expanded(bitboards):
    """Returns the planes as numbers 0 and 1. Shape: samples, PLANES, 8, 8, with the planes innermost."""
    squares = torch.arange(64, device=bitboards.device)
    bits = (bitboards[:, None, :] >> squares[None, :, None]) & 1
    return bits.to(PRECISION).view(-1, 8, 8, PLANES).permute(0, 3, 1, 2)


class Inputs:
    """Samples on the device: planes, chance by the score, points, and 1 where there are points."""

    def __init__(self, parts, scale):
        self.planes = torch.cat([planes(part[i : i + CHUNK]) for part in parts for i in range(0, len(part), CHUNK)])
        field = lambda name: torch.from_numpy(
            np.concatenate([part[name] for part in parts]).astype(np.float32)
        ).to(DEVICE)
        self.chance = torch.sigmoid(field("score") / scale)
        self.points, self.has_points = field("points"), field("has_points")

    def __len__(self):
        return len(self.planes)


# --- The network: a residual network (He et al. 2016) whose blocks also see the mean over the board ---
# --- (squeeze and excitation; Hu, Shen and Sun 2018), as in Leela Chess Zero                        ---


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.squeeze = nn.Linear(channels, channels // 4)
        self.excite = nn.Linear(channels // 4, 2 * channels)
        # A block begins as the identity.
        nn.init.zeros_(self.second_norm.weight)

    def forward(self, x):
        y = functional.relu(self.first_norm(self.first(x)))
        y = self.second_norm(self.second(y))
        gate, bias = self.excite(functional.relu(self.squeeze(y.mean((2, 3))))).chunk(2, 1)
        return functional.relu(x + bias[:, :, None, None] + y * torch.sigmoid(gate)[:, :, None, None])


class Teacher(nn.Module):
    """Its two outputs are the logits of the chance by the score and of the points."""

    def __init__(self, channels, blocks):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(channels)
        self.by_square = nn.Parameter(torch.zeros(1, channels, 8, 8))
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.head = nn.Conv2d(channels, 32, 1, bias=False)
        self.head_norm = nn.BatchNorm2d(32)
        self.hidden = nn.Linear(32 * 64, 128)
        self.output = nn.Linear(128, 2)

    def forward(self, x):
        x = functional.relu(self.stem_norm(self.stem(x)) + self.by_square)
        x = functional.relu(self.head_norm(self.head(self.blocks(x)))).flatten(1)
        return self.output(functional.relu(self.hidden(x)))


def mixed_precision():
    return torch.autocast(DEVICE, dtype=PRECISION, enabled=DEVICE == "cuda")


def new_teacher(size):
    return Teacher(**size).to(DEVICE).to(memory_format=torch.channels_last)


@torch.no_grad()
def predict(network, bitboards, batch=16384):
    """Returns chance and points. Shape: samples, 2."""
    parts = []
    for first in range(0, len(bitboards), batch):
        with mixed_precision():
            parts.append(torch.sigmoid(network(expanded(bitboards[first : first + batch])).float()))
    return torch.cat(parts)


# --- The commands ---


def mean_losses(predicted, inputs):
    """Mean squared errors of the chance and of the points."""
    chance = ((predicted[:, 0] - inputs.chance) ** 2).mean().item()
    points = (predicted[:, 1] - inputs.points) ** 2 * inputs.has_points
    return chance, points.sum().item() / max(inputs.has_points.sum().item(), 1)


def train(arguments):
    files = [read_samples(path) for path in arguments.samples]
    inputs = Inputs([file[0] for file in files], arguments.scale)
    validation = Inputs([file[1] for file in files], arguments.scale)
    print(f"{len(inputs)} samples to train on, {len(validation)} for validation", flush=True)
    torch.manual_seed(arguments.seed)
    size = dict(channels=arguments.channels, blocks=arguments.blocks)
    teacher = new_teacher(size)
    matrices = [weights for weights in teacher.parameters() if weights.ndim > 1]
    others = [weights for weights in teacher.parameters() if weights.ndim <= 1]
    groups = [dict(params=matrices, weight_decay=0.02), dict(params=others, weight_decay=0.0)]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.99))
    compiled = torch.compile(teacher) if DEVICE == "cuda" else teacher

    # The rate follows the clock, so that a run ends at the lowest rate however fast the machine is.
    begun = reported = time.time()
    part, step, at, order = 0.0, 0, len(inputs), None
    batch = min(arguments.batch, len(inputs))
    while part < 1:
        if step % 20 == 0:
            # The loss is read, so the device has done all steps so far.
            part = (time.time() - begun) / (60 * arguments.minutes)
            rate = arguments.rate * min(1, (step + 1) / 400) * (1 + math.cos(math.pi * min(part, 1))) / 2
            for group in optimiser.param_groups:
                group["lr"] = rate + arguments.rate / 200
        if at + batch > len(inputs):
            order, at = torch.randperm(len(inputs), device=DEVICE), 0
        index = order[at : at + batch]
        at += batch
        with mixed_precision():
            logits = compiled(expanded(inputs.planes[index])).float()
        of = functional.binary_cross_entropy_with_logits
        points = of(logits[:, 1], inputs.points[index], reduction="none")
        loss = of(logits[:, 0], inputs.chance[index]) + (points * inputs.has_points[index]).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        if step % 20 == 0:
            cross_entropy = loss.item()
            if time.time() - reported > 15:
                reported = time.time()
                print(f"{step * batch} samples, cross-entropy {cross_entropy:.4f}", flush=True)
    teacher.eval()
    if len(validation):
        chance, points = mean_losses(predict(teacher, validation.planes), validation)
        print(f"{step * batch} samples; validation: score {chance:.6f}, points {points:.6f}")
    torch.save(dict(size=size, weights=teacher.state_dict()), arguments.output)


def label(arguments):
    saved = torch.load(arguments.teacher, map_location=DEVICE, weights_only=True)
    teacher = new_teacher(saved["size"])
    teacher.load_state_dict(saved["weights"])
    teacher.eval()
    training, validation = read_samples(arguments.samples)
    # A file of this name, which may be the one that is read, is replaced when the new one is complete.
    unfinished = arguments.output + ".unfinished"
    with open(unfinished, "wb") as file:
        file.write(PROLOGUE + len(training).to_bytes(8, "little"))
        for samples in (training, validation):
            for first in range(0, len(samples), CHUNK):
                chunk = np.array(samples[first : first + CHUNK])
                predicted = predict(teacher, planes(chunk)).cpu().numpy().astype(np.float64)
                new = predicted @ [1 - arguments.points_share, arguments.points_share]
                old = 1 / (1 + np.exp(-chunk["score"] / arguments.scale))
                chance = arguments.weight * new + (1 - arguments.weight) * old
                score = arguments.scale * np.log(chance / (1 - chance))
                chunk["score"] = np.clip(np.round(score), -MAX_SCORE, MAX_SCORE)
                file.write(chunk.tobytes())
    os.replace(unfinished, arguments.output)
    print(f"{arguments.output}: {len(training) + len(validation)} samples labelled")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--scale", type=float, default=134, help="score with odds of e to 1, in centipawns")
    common.add_argument("--output", required=True)

    command = commands.add_parser("train", parents=[common], help="train a larger network on samples")
    command.add_argument("samples", nargs="+", help="files of `outrider data samples`")
    command.add_argument("--minutes", type=float, default=7)
    command.add_argument("--channels", type=int, default=128)
    command.add_argument("--blocks", type=int, default=8)
    command.add_argument("--batch", type=int, default=4096)
    command.add_argument("--rate", type=float, default=2e-3)
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(run=train)

    command = commands.add_parser("label", parents=[common], help="replace the scores of samples")
    command.add_argument("samples", help="file of `outrider data samples`")
    command.add_argument("--teacher", required=True)
    command.add_argument("--weight", type=float, default=1, help="share of the label in the new score")
    command.add_argument(
        "--points-share", type=float, default=0.4, help="share of the points in the label"
    )
    command.set_defaults(run=label)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
