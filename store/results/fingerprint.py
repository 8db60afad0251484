"""Numeric fingerprints as short letters: equal letters, equal unrounded log-probabilities on the sentinel prompts."""

import string
from collections.abc import Iterable, Mapping

from store.results.runs import RunRow


def letters(runs: Iterable[RunRow]) -> Mapping[str, str]:
    """Letter of every fingerprint among `runs`, A for the first that is met; after Z come AA, AB, …

    Deployments without a fingerprint have none. Letters belong to one list of runs: another study's A is another.
    """
    found: dict[str, str] = {}
    for run in runs:
        if run.fingerprint is not None:
            found.setdefault(run.fingerprint, _letter(len(found)))
    return found


def _letter(number: int) -> str:
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, len(string.ascii_uppercase))
        text = string.ascii_uppercase[rest] + text
    return text
