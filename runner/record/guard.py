"""`python guard.py COMMAND …`: stands over a command, so that it ends when the runner does, however that dies.

Needs the standard library alone. It leads the command's process group and holds one end of a pipe; when the other
end closes, the group is asked to end, and killed after a while. Exits as the command did, 128 + n for signal n.
"""

import os
import signal
import subprocess
import sys
import threading
from types import FrameType

GRACE_S = 5.0
"""From asking to killing: a wrapper such as `docker run` passes the first on, and cannot pass on the second."""
NOT_STARTED = 127


def main() -> None:
    """Start the command with an empty standard input and wait for it."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _outlive)
    try:
        command = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    except OSError as error:
        sys.stderr.write(f"{sys.argv[1]}: {error.strerror}\n")
        sys.exit(NOT_STARTED)
    over, stopping = threading.Event(), threading.Event()
    threading.Thread(target=_watch, args=(over, stopping), daemon=True).start()
    code = command.wait()
    over.set()
    while stopping.is_set():
        signal.pause()  # the other thread ends this process with its group
    os._exit(code if code >= 0 else 128 - code)


def _watch(over: threading.Event, stopping: threading.Event) -> None:
    while os.read(0, 1):
        pass
    stopping.set()
    os.killpg(os.getpgrp(), signal.SIGTERM)
    over.wait(GRACE_S)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _outlive(number: int, frame: FrameType | None) -> None:
    """A handler and not SIG_IGN, which the command would inherit."""


if __name__ == "__main__":
    main()
