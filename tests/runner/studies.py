"""Study files for tests: one small valid text, and what is changed in it."""

import hashlib
import tomllib

from runner.study.model import StudyFile

TEXT = """\
format = "flipbook-study/1"
study = "small"
label = ""
extractor = "answer-line@1"

[questions]
file = "questions.jsonl"
sha256 = "SHA256"
id = "id"
text = "question"
gold = "gold"

[prompt]
template = "{question}"
chat = false
system = ""
template_arguments = {}
thinking = "off"

[sampling]
temperature = 0.0
top_p = 1.0
top_k = 0
min_p = 0.0
presence_penalty = 0.0
frequency_penalty = 0.0
repetition_penalty = 1.0
max_tokens = 16
stop_token_ids = []
stop = []
seed = 0
samples = 1

[capture]
level = "none"
k = 0

[models.m]
path = "model"

[engines.e]
kind = "transformers"
python = "python3"
arguments = {}
environment = {}

[launch]
wrapper = []
devices = ["cpu"]
start_limit_s = 60
silence_limit_s = 60

[planning]
flip_rate = 0.01
alpha = 0.05
power = 0.8
start_s = 100
tokens_per_s = 10
tokens_per_question = 50
price_per_device_hour = 3.6
currency = "EUR"
"""

QUESTIONS = b'{"id": "a", "question": "1+1?", "gold": "2"}\n{"id": "b", "question": "2+2?", "gold": 4}\n'


def cell(name, role="grid", repeats=1, load=None, more="", arm="A", arguments="{}"):
    """One `[[cells]]` table; load: the cell whose Inductor cache it loads."""
    inductor = "fresh" if load is None else f"load from {load}"
    return f"""
[[cells]]
name = "{name}"
arm = "{arm}"
role = "{role}"
engine = "e"
model = "m"
repeats = {repeats}
arguments = {arguments}
cache = {{ inductor = "{inductor}", triton = "fresh", flashinfer_jit = "fresh", flashinfer_autotune = "fresh" }}
{more}
"""


def study_text(*cells, swap=()):
    """The text with these cells (one named `c` when none is given) and replacements of old by new, each of which fits."""
    text = TEXT.replace("SHA256", hashlib.sha256(QUESTIONS).hexdigest()) + "".join(cells or (cell("c"),))
    for old, new in swap:
        assert old in text
        text = text.replace(old, new)
    return text


def study(*cells, swap=()):
    """The same as a study."""
    return StudyFile.model_validate(tomllib.loads(study_text(*cells, swap=swap)))


def write(folder, *cells, swap=()):
    """The same as a file, with its questions and an empty model folder beside it."""
    (folder / "questions.jsonl").write_bytes(QUESTIONS)
    (folder / "model").mkdir()
    path = folder / "study.toml"
    path.write_text(study_text(*cells, swap=swap), encoding="utf-8")
    return path
