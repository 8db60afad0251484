"""The house itself: what is packaged, pinned, linked and forbidden."""

import ast
import os
import re
import subprocess
import sys
import zipfile

import pytest

from tests.conftest import ROOT

PACKAGES = ("flipbook", "dashboard", "ingest", "runner", "store")
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
DOCS = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def modules():
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, unpacked as an installation would."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("flipbook_repro-*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_a_wheel_works_from_any_folder(wheel, tmp_path):
    env = {**os.environ, "PYTHONPATH": str(wheel)}
    where = [sys.executable, "-c", "import store; print(store.__file__)"]
    assert str(wheel) in subprocess.run(where, capture_output=True, text=True, check=True, cwd=tmp_path, env=env).stdout
    for arguments in (["demo", "--load-only"], ["cells", "published"], ["verify"]):
        done = subprocess.run(
            [sys.executable, "-m", "flipbook", *arguments], capture_output=True, text=True, check=False, cwd=tmp_path, env=env
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "flipbook-store" / "warehouse.duckdb").exists()


def test_a_wheel_carries_what_pages_and_stores_need(wheel):
    names = {path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()}
    for needed in (
        "dashboard/style.css", "dashboard/icon.png", "dashboard/streamlit-config.toml", "dashboard/views/question.py",
        "store/sql/read/runs.sql", "store/people/migrations/script.py.mako",
        "flipbook/studies/published/manifest.json", "flipbook/studies/smollm2-mini/facts.parquet",
    ):  # fmt: skip
        assert needed in names
    assert not any(name.startswith(("tests/", "examples/")) for name in names)


def test_the_bundled_studies_are_small():
    files = [path for path in (ROOT / "examples" / "studies").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 4_000_000


def test_the_lock_pins_and_hashes_everything_and_names_no_host():
    pins = re.findall(r"^([a-z0-9-]+)==\S+", LOCK, re.MULTILINE)
    assert LOCK.count("--hash=sha256:") >= len(pins) > 60
    assert {"streamlit", "duckdb", "altair", "pandas", "pydantic", "sqlmodel", "hatchling", "editables"} <= set(pins)
    assert not {"vllm", "torch", "transformers"} & set(pins)
    assert "://" not in LOCK
    assert "--index" not in LOCK
    assert not (ROOT / "uv.lock").exists() or "uv.lock" in (ROOT / ".gitignore").read_text()


def test_no_folder_switches_streamlits_old_mode_on():
    assert not (ROOT / "dashboard" / "pages").exists()


def test_modules_are_small_and_views_are_short():
    long = {path.name: n for path in modules() if (n := len(path.read_text().splitlines())) > 250}
    assert long == {}
    views = {
        path.name: n for path in (ROOT / "dashboard" / "views").glob("*.py") if (n := len(path.read_text().splitlines())) > 60
    }
    assert views == {}


def test_every_module_and_public_name_says_what_it_is():
    silent = []
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        where = path.relative_to(ROOT).as_posix()
        if "migrations/versions" in where or where.endswith("tests/__init__.py"):
            continue
        if not ast.get_docstring(tree):
            silent.append(where)
        named = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.name.startswith("_")]
        silent.extend(f"{where}:{node.name}" for node in named if not ast.get_docstring(node))
    assert silent == []


def test_no_sql_is_built_from_strings_and_every_query_is_ordered():
    for path in (ROOT / "store" / "sql" / "read").glob("*.sql"):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("-- Grain:"), path.name
        assert "ORDER BY" in text or "one row:" in text, path.name


def slug(heading):
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_and_anchors_in_the_docs_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http:", "https:")):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), f"{path.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {slug(h) for h in headings}, f"{path.name} links to {target}"


def test_commands_the_readme_shows_exist():
    from flipbook.cli import COMMANDS

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\bflipbook ([a-z-]+)\b", "\n".join(re.findall(r"```.*?\n(.*?)```", text, re.DOTALL))))
    assert shown
    assert shown <= set(COMMANDS)


def test_the_changelog_knows_this_version():
    from flipbook import __version__

    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
