"""`LLM.generate` and nothing else, on the job of a deployment: run by the engine's own Python, prints seconds."""

import json
import os
import sys
import time


def main() -> None:
    """Warm-up and sentinels as the job has them, then all questions in one call."""
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123
        job = json.load(file)
    os.environ.update(job["environment"])
    from vllm import LLM, SamplingParams

    llm = LLM(
        model=job["model"]["path"], tokenizer=job["model"]["tokenizer"], disable_log_stats=False, **job["engine_arguments"]
    )

    def ask(prompts: list[list[int]], sampling: dict[str, object]) -> float:
        began = time.monotonic()
        llm.generate([{"prompt_token_ids": ids} for ids in prompts], SamplingParams(**sampling), use_tqdm=False)
        return time.monotonic() - began

    ask([job["warm_up"]["ids"]], job["warm_up"]["sampling"])
    ask(job["sentinels"]["prompts"], job["sentinels"]["sampling"])
    seconds = ask([question["ids"] for question in job["questions"]], job["sampling"])
    print(json.dumps({"generation_s": seconds}))


if __name__ == "__main__":  # vLLM's spawned processes import this again
    main()
