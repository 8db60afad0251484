"""Reading top-k logprobs in the shapes that files hold them."""

from store.contract.base import Json
from store.contract.record import TokenLogprob


def read_topk(value: Json) -> object:
    """Steps of candidates from a list of steps, each step one of

    * a list of ``[token_id, logprob]`` or ``[token_id, logprob, rank]``,
    * a list of ``{"token_id": …, "logprob": …, "rank": …}``,
    * an object ``{token_id: logprob}`` or ``{token_id: {"logprob": …, "rank": …}}`` (vLLM's own shape).

    Anything else is returned as it is, for the contract to refuse by name.
    """
    if not isinstance(value, list):
        return value
    try:
        return tuple(tuple(_step(step)) for step in value)
    except (TypeError, ValueError, KeyError, IndexError):
        return value


def _step(step: Json) -> list[TokenLogprob]:
    if isinstance(step, dict):
        return [_of_object(int(token), entry) for token, entry in step.items()]
    if not isinstance(step, list):
        raise TypeError
    return [_of_list(entry) if isinstance(entry, list) else _of_object(None, entry) for entry in step]


def _of_list(entry: list[Json]) -> TokenLogprob:
    return TokenLogprob.model_validate(
        {"token_id": entry[0], "logprob": entry[1], "rank": entry[2] if len(entry) > 2 else None}
    )


def _of_object(token: int | None, entry: Json) -> TokenLogprob:
    if not isinstance(entry, dict):
        return TokenLogprob.model_validate({"token_id": token, "logprob": entry, "rank": None})
    found = entry["token_id"] if token is None else token
    return TokenLogprob.model_validate({"token_id": found, "logprob": entry["logprob"], "rank": entry.get("rank")})
