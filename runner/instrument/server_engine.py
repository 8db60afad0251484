"""Any OpenAI-compatible server over HTTP, with what vLLM adds to it where it is there."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from http.client import HTTPException

from .job import Job, Json, Reply, Request

POLL_S = 0.5
WELL_S = 10
"""How long a server may be unwell after a failed request before it is given up."""
ANSWER_S = 3600
STANDARD = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "max_tokens")
EXTRA = ("top_k", "min_p", "repetition_penalty", "stop_token_ids")
"""Sampling parameters that vLLM takes and the standard does not have."""


class ServerEngine:
    """Sends `concurrency` requests at a time. A server given by command lives in our process group and dies with it."""

    def __init__(self, job: Job) -> None:
        server = job["server"]
        assert server is not None
        self._job, self._server = job, server
        self._process: subprocess.Popen[bytes] | None = None
        self._url = server["url"] or ""
        self._vllm = False

    def start(self) -> None:
        """Start the server where a command is given, and wait until it lists its models."""
        command = self._server["command"]
        if command is not None:
            port = _free_port()
            words = [word.replace("{port}", str(port)).replace("{python}", sys.executable) for word in command]
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=sys.stderr)
            self._url = f"http://127.0.0.1:{port}"
        while True:
            if self._process is not None and self._process.poll() is not None:
                raise RuntimeError(f"the server ended with {self._process.returncode} before it answered")
            try:
                _get(f"{self._url}/v1/models")
                break
            except (OSError, ValueError):
                if self._process is None:
                    raise
                time.sleep(POLL_S)  # the runner's own limit ends this
        try:
            self._vllm = "version" in _get(f"{self._url}/version")
        except (OSError, ValueError):
            self._vllm = False

    def ask(self, requests: Iterable[Request]) -> Iterator[Reply]:
        """Replies as they come; a request that fails is a reply with its error.

        Raises RuntimeError when the server is gone: then no request has failed, they were not answered.
        """
        gone = ""
        with ThreadPoolExecutor(self._server["concurrency"]) as pool:
            asked = [pool.submit(self._one, request) for request in requests]
            for done in as_completed(asked):
                if done.cancelled():
                    continue
                reply = done.result()
                if reply["error"] is not None and not gone and (gone := self._gone()):
                    for waiting in asked:
                        waiting.cancel()
                if reply["error"] is None or not gone:
                    yield reply
        if gone:
            raise RuntimeError(f"the server {gone} while it was asked")

    def _gone(self) -> str:
        """What became of the server, empty when it is well. vLLM's answers a while longer when its engine is dead."""
        end = time.monotonic() + WELL_S
        while time.monotonic() < end:
            if self._process is not None and self._process.poll() is not None:
                return f"ended with {self._process.returncode}"
            if _is_well(self._url):
                return ""
            time.sleep(POLL_S)
        return f"was not well for {WELL_S} s"

    def observe(self) -> dict[str, Json]:
        """What the server says of itself; null where it has no such route."""
        return {
            "kind": "server",
            "version": _get_or_null(f"{self._url}/version"),
            "models": _get_or_null(f"{self._url}/v1/models"),
            "info": _get_or_null(f"{self._url}/server_info?config_format=json"),
            "workers": [],
        }

    def stop(self) -> None:
        """End the server that was started here."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()

    def _one(self, request: Request) -> Reply:
        chat = self._server["route"] == "chat"
        sent = self._body(request, chat)
        began, began_unix = time.monotonic(), time.time()
        try:
            answer = _post(f"{self._url}/v1/{'chat/' if chat else ''}completions", sent)
            choice = answer["choices"][0]
        except (OSError, ValueError, LookupError, TypeError, HTTPException) as error:
            return {"key": request["key"], "prompt_ids": request["ids"], "error": f"{type(error).__name__}: {error}"[:2000]}
        ended = time.monotonic()
        message = choice.get("message") or {}
        metrics = answer.get("metrics") or {}
        ttft = metrics.get("time_to_first_token_ms")
        return {
            "key": request["key"],
            "prompt_ids": choice.get("prompt_token_ids") or answer.get("prompt_token_ids"),
            "ids": choice.get("token_ids"),
            "text": message.get("content") if chat else choice.get("text"),
            "finish": choice.get("finish_reason"),
            "stop": choice.get("stop_reason"),
            "topk": _topk(choice, request["sampling"]["logprobs"]),
            "cached": ((answer.get("usage") or {}).get("prompt_tokens_details") or {}).get("cached_tokens"),
            "reasoning_chars": len(message.get("reasoning_content") or message.get("reasoning") or "") if chat else 0,
            "metrics": {
                "arrival_time": began_unix,
                "queued_ts": began,
                "last_token_ts": ended,
                "first_token_latency": None if ttft is None else ttft / 1000,
            },
            "effective": {name: sent.get(name) for name in (*STANDARD[:-1], *EXTRA[:-1])},
            "error": None,
        }

    def _body(self, request: Request, chat: bool) -> dict[str, Json]:
        asked: dict[str, Json] = {**request["sampling"]}
        body: dict[str, Json] = {"model": self._server["name"], "n": 1, **{name: asked[name] for name in STANDARD}}
        if asked["stop"]:
            body["stop"] = asked["stop"]
        if request["seed"] is not None:
            body["seed"] = request["seed"]
        if self._vllm:
            extra = {name: asked[name] for name in EXTRA}
            body.update({**extra, "return_token_ids": True, "return_tokens_as_token_ids": True})
        if chat:
            body["messages"] = [{"role": "user", "content": request["text"]}]
            if asked["logprobs"] is not None:
                body.update({"logprobs": True, "top_logprobs": asked["logprobs"]})
        else:
            body["prompt"] = request["ids"] if self._server["route"] == "ids" else request["text"]
            if asked["logprobs"] is not None:
                body["logprobs"] = asked["logprobs"]
        return body


def _topk(choice: Json, k: int | None) -> list[list[list[Json]]] | None:
    """Steps of [token id, log-probability, null]; null where the server names tokens by text and not by id."""
    said = choice.get("logprobs")
    if k is None or not said or not isinstance(said.get("top_logprobs"), list):
        return None
    steps: list[list[list[Json]]] = []
    for chosen, value, best in zip(said["tokens"], said["token_logprobs"], said["top_logprobs"]):
        named = {chosen: value, **(best or {})}
        if not all(name.startswith("token_id:") for name in named):
            return None
        steps.append([[int(name.partition(":")[2]), logprob, None] for name, logprob in named.items()])
    return steps


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _get(url: str) -> Json:
    with urllib.request.urlopen(urllib.request.Request(url, headers=_headers()), timeout=30) as answer:
        return json.load(answer)


def _get_or_null(url: str) -> Json:
    try:
        return _get(url)
    except (OSError, ValueError):
        return None


def _is_well(url: str) -> bool:
    """By its health route; a server without one is well when it answers that."""
    try:
        _get(f"{url}/health")
    except urllib.error.HTTPError as error:
        return error.code < 500
    except ValueError:  # an answer, and no JSON: vLLM's is empty
        return True
    except OSError:
        return False
    return True


def _post(url: str, body: dict[str, Json]) -> Json:
    headers = {"Content-Type": "application/json", **_headers()}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_S) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise OSError(f"HTTP {error.code}: {error.read().decode('utf-8', 'replace')[:1500]}") from error


def _headers() -> dict[str, str]:
    key = os.environ.get("OPENAI_API_KEY")
    return {"Authorization": f"Bearer {key}"} if key else {}
