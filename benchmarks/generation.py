"""What the runner costs while answers are generated: the generation phase of `flipbook run` against bare `LLM.generate`.

python -m benchmarks.generation ENGINE_FOLDER [QUESTIONS] [PAIRS]

Interleaved pairs on one machine, fp32 eager at cap 8, the first questions of examples/smollm2; prints each pair, the
ratio of medians, and the runner's other phases.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from runner.caches.roots import CacheRoots
from runner.deploy.deployment import next_try
from runner.deploy.freeze import freeze
from runner.deploy.job import Desk, run_job, write_job
from runner.deploy.pack import pack_instrument
from runner.deploy.told import Told, told_in
from runner.study.frozen import FrozenPlan
from runner.study.grid import deployments
from runner.study.load import load_study

STUDY = Path("examples/smollm2-cpu.toml")
CELL = "fp32-eager-cap8"


def main(engine: Path, questions: int, pairs: int) -> None:
    """Run the pairs and print what they took."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(load_study(STUDY), STUDY.parent, Path(folder), str((engine / "venv/bin/python").absolute()))
        pack_instrument(desk.work / "instrument.pyz")
        plan = freeze(desk, print)
        bare, through = [], []
        for pair in range(pairs):
            job = _job(desk, plan, questions, f"bare{pair}")
            bare.append(_bare(desk, job))
            told = _through(desk, _job(desk, plan, questions, f"through{pair}"))
            through.append(told.seconds("pass 0") or 0.0)
            print(f"pair {pair + 1}: bare {bare[-1]:.2f} s, through flipbook {through[-1]:.2f} s", flush=True)
        ratio = statistics.median(through) / statistics.median(bare)
        print(f"medians: bare {statistics.median(bare):.2f} s, through {statistics.median(through):.2f} s, ratio {ratio:.3f}")
        print("other phases of the last one:", {name: round(told.seconds(name) or 0, 2) for name, _ in told.phases})


def _job(desk: Desk, plan: FrozenPlan, questions: int, name: str) -> Path:
    runs = next(runs for runs in deployments(desk.study) if runs[0].entry == CELL)
    tried = next_try(desk.work / name, runs, 1)
    tried.folder.mkdir(parents=True)
    for path in tried.roots.environment().values():
        Path(path).mkdir(parents=True, exist_ok=True)
    job = run_job(desk, plan, runs, CacheRoots(tried.folder / "caches"), "cpu", tried.lines)
    asked = job["questions"]
    assert isinstance(asked, list)
    job |= {"questions": asked[:questions], "passes": [[*range(min(questions, len(asked)))]]}
    write_job(tried.folder / "job.json", job)
    return tried.folder / "job.json"


def _bare(desk: Desk, job: Path) -> float:
    script = Path(__file__).with_name("bare_generate.py")
    done = subprocess.run([desk.python or "", script, job], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout.splitlines()[-1])["generation_s"])


def _through(desk: Desk, job: Path) -> Told:
    command = [desk.python or "", desk.work / "instrument.pyz", job]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return told_in(job.with_name("lines.jsonl"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), *(int(word) for word in (sys.argv[2:] or ["60", "5"])))
