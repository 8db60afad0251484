"""The numeric fingerprint of a deployment (METHOD Part 5, P3)."""

import hashlib
import struct
from collections.abc import Mapping

from runner.deploy.told import Reply
from runner.sentinels import VERSION


def fingerprint(sentinels: Mapping[int, Reply], expected: int) -> str | None:
    """`fp1:` over the unrounded log-probabilities of every sentinel's every step, in order of prompts.

    Null unless all sentinels were answered with token ids and log-probabilities: a part of one says nothing.
    """
    whole = hashlib.sha256(VERSION.encode())
    for number in range(expected):
        reply = sentinels.get(number)
        if reply is None or reply.topk is None or reply.ids is None:
            return None
        whole.update(struct.pack(f"<i{len(reply.ids)}i", len(reply.ids), *reply.ids))
        for step in reply.topk:
            # by value and id, since engines list a tie in any order
            for token, logprob, _ in sorted(step, key=lambda entry: (-entry[1], entry[0])):
                whole.update(struct.pack("<id", token, logprob))
    return f"fp1:{whole.hexdigest()}"
