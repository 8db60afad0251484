"""Tables as files: nothing acts as a formula, nothing is lost."""

import io

import pandas as pd
import pytest

from dashboard.components.download import csv_bytes, parquet_bytes

ROWS = [
    {"question": "=cmd|' /C calc'!A0", "value": 0.5, "count": 3, "note": "+1"},
    {"question": "@sum", "value": None, "count": 0, "note": "-2"},
    {"question": "plain", "value": -0.25, "count": None, "note": "\ttab"},
]


def test_a_csv_cell_that_could_act_as_a_formula_is_text_and_numbers_stay_numbers():
    text = csv_bytes(["question", "value", "count", "note"], ROWS).decode("utf-8-sig")
    lines = text.splitlines()
    assert lines[0] == "question,value,count,note"
    assert lines[1].startswith("'=cmd")
    assert lines[2] == "'@sum,,0,'-2"
    assert lines[3] == "plain,-0.25,,'\ttab"


def test_parquet_holds_the_values_untouched_and_null_for_unknown():
    frame = pd.read_parquet(io.BytesIO(parquet_bytes(list(ROWS[0]), ROWS)))
    assert frame["question"].tolist() == [row["question"] for row in ROWS]
    assert frame["value"].dtype == float
    assert pd.isna(frame["value"][1])
    assert pd.isna(frame["count"][2])
    assert frame["count"][1] == 0


@pytest.mark.parametrize("rows", [[], [{"a": None}], [{"a": "x"}, {"a": 1}]])
def test_files_of_empty_unknown_and_mixed_columns_can_be_read(rows):
    assert csv_bytes(["a"], rows).decode("utf-8-sig").startswith("a")
    frame = pd.read_parquet(io.BytesIO(parquet_bytes(["a"], rows)))
    assert list(frame.columns) == ["a"]
    assert len(frame) == len(rows)


def test_a_column_that_only_some_rows_have_is_kept_and_empty_elsewhere():
    rows = [{"cell": "a"}, {"cell": "b", "low": 1.0}]
    assert csv_bytes(["cell"], rows).decode("utf-8-sig").splitlines() == ["cell,low", "a,", "b,1.0"]
    assert list(pd.read_parquet(io.BytesIO(parquet_bytes(["cell"], rows))).columns) == ["cell", "low"]
