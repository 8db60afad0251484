"""A link carries the whole state, and completing it never changes what it says."""

from dataclasses import fields
from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st

from dashboard.frame import PAGES
from dashboard.link import CHOICES, Link
from dashboard.question_link import complete
from store.folder import Store
from store.results.question import question_result
from store.results.scope import resolve
from store.warehouse.open import open_warehouse
from tests.builders import answered, labels
from tests.store.test_folder import admit

texts = st.none() | st.text(min_size=1, max_size=20)


KINDS = {"as_of": st.integers(0, 9), "top": st.integers(0, 9)} | {
    name: st.sampled_from(values) for name, values in CHOICES.items()
}


@given(st.builds(Link, **{field.name: st.none() | KINDS.get(field.name, texts) for field in fields(Link)}))
def test_what_is_said_is_carried_and_nothing_else(link):
    assert set(link.params) == {name for name in link.params if getattr(link, name) is not None}
    assert link.with_() == link
    assert list(link.params) == [field.name for field in fields(Link) if field.name in link.params]
    for page in PAGES:
        assert link.on(page).on(page) == link.on(page)
        assert dict(parse_qsl(link.href(page).partition("?")[2], keep_blank_values=True)) == link.on(page).params


def test_completing_names_the_two_largest_classes_and_keeps_what_fits(tmp_path):
    store = Store(tmp_path / "store")
    admit(
        store,
        *(
            (labels(run, repeat=i), [answered("q1", text)])
            for i, (run, text) in enumerate([("a", "1"), ("b", "2"), ("c", "2"), ("d", "3")])
        ),
    )
    warehouse = open_warehouse(store.warehouse)
    result = question_result(warehouse, resolve(warehouse, "s", None, None), "q1")
    warehouse.close()
    fresh = complete(Link(study="s"), result)
    assert (fresh.q, fresh.layer, fresh.a, fresh.b) == ("q1", "text", "b", "a")
    assert complete(fresh, result) == fresh
    kept = complete(Link(a="c", b="d"), result)
    assert (kept.a, kept.b) == ("c", "d")
    lost = complete(Link(a="ghost", b="b"), result)
    assert (lost.a, lost.b) == ("a", "b")
    assert complete(Link(layer="tokens"), result).a is None
