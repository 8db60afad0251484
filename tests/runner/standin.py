"""A small OpenAI-compatible server that answers like vLLM's and breaks in the ways that vLLM's does.

A token is a byte of text; 256 and 257 are <think> and </think>. Options may stand in a file given as @FILE, one a line.
"""

import argparse
import json
import os
import subprocess
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

THINK, UNTHINK = 256, 257
DYING_S = 0.5


class Refused(Exception):
    """A request that is answered with a status of its own."""

    def __init__(self, status, what):
        super().__init__(what)
        self.status = status


class Model:
    """Answers prompts; the same prompt, the same answer."""

    def __init__(self, options):
        self.options = options
        self.dead = threading.Event()
        self._answers = 0
        self._lock = threading.Lock()

    def complete(self, asked):
        """The body of /v1/completions. Raises Refused."""
        prompt = asked["prompt"]
        text = bytes(prompt).decode()
        with self._lock:
            self._answers += self._counts(asked)
            number = self._answers
        if self.options.hang_after is not None and number > self.options.hang_after:
            time.sleep(3600)
        time.sleep(self.options.delay if self._counts(asked) else 0)
        if self.dead.is_set():
            raise Refused(500, "EngineCore encountered an issue.")
        if self.options.fail is not None and text.startswith(self.options.fail):
            raise Refused(500, "this one never works")
        return self._answer(asked, text, prompt)

    def _answer(self, asked, text, prompt):
        said = f"The final answer is {zlib.crc32(text.encode()) % 10}"
        ids = [*([THINK, *b"hm", UNTHINK] if self.options.think else []), *said.encode()]
        ids, finish = ids[: asked["max_tokens"]], "stop" if len(ids) <= asked["max_tokens"] else "length"
        choice = {
            "index": 0,
            "text": bytes(i for i in ids if i < 256).decode(),
            "token_ids": ids,
            "prompt_token_ids": prompt,
            "finish_reason": finish,
            "stop_reason": None,
            "logprobs": None if asked.get("logprobs") is None else self._logprobs(ids, asked["logprobs"]),
        }
        return {"object": "text_completion", "choices": [choice], "usage": {"prompt_tokens": len(prompt)}}

    def _logprobs(self, ids, k):
        best = [{f"token_id:{(i + n) % 256 if n else i}": -0.125 - n for n in range(k)} for i in ids]
        return {"tokens": [f"token_id:{i}" for i in ids], "token_logprobs": [-0.125] * len(ids), "top_logprobs": best}

    def _counts(self, asked):
        """Whether it is one of the study's questions, and no sentinel or warm-up."""
        return bytes(asked["prompt"]).startswith(b"q")

    def die(self):
        """Like vLLM when its engine is dead: what was asked fails, and soon the server ends as if all were well."""
        self.dead.set()
        threading.Timer(DYING_S, os._exit, (0,)).start()


def handler(model):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            found = {"/v1/models": {"data": [{"id": "standin"}]}, "/version": {"version": "0.0.standin"}, "/health": {}}
            if self.path == "/health" and model.dead.is_set():
                self._send(503, {})
            else:
                self._send(200 if self.path in found else 404, found.get(self.path, {}))

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                self._send(200, model.complete(asked))
            except Refused as error:
                self._send(error.status, {"error": {"message": str(error)}})

        def _send(self, status, body):
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser(fromfile_prefix_chars="@")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds per answer")
    parser.add_argument("--hang-after", type=int, help="answers after which it is silent")
    parser.add_argument("--refuse", action="store_true", help="do not start")
    parser.add_argument("--worker", action="store_true", help="have a worker process; when it dies, end with code 0")
    parser.add_argument("--fail", help="beginning of prompts that are answered with HTTP 500")
    parser.add_argument("--think", action="store_true", help="think before answering")
    options = parser.parse_args()
    if options.refuse:
        print("standin: no such device", file=sys.stderr)
        sys.exit(3)
    model = Model(options)
    if options.worker:
        worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)  # worker"])
        threading.Thread(target=lambda: (worker.wait(), model.die()), daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", options.port), handler(model))
    server.serve_forever()


if __name__ == "__main__":
    main()
