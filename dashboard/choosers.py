"""Controls whose choice is a key of the link. Each is set from the link and writes it, so that Back and Forward move them."""

from collections.abc import Callable, Sequence

import streamlit as st

from dashboard.link import Link, write_link

Changed = str | int | None
"""What a further key of the link becomes with the choice."""


def segments(
    label: str, key: str, options: Sequence[str], link: Link, names: Callable[[str], str] = str, **also: Changed
) -> None:
    """A choice of a few, side by side."""
    widget = f"choose-{key}"
    st.session_state[widget] = getattr(link, key)

    def chosen() -> None:
        # a click on the chosen one takes the choice away, which no page knows; it stays
        if st.session_state[widget] in options:
            write_link(link.with_(**{key: st.session_state[widget]}, **also))

    st.segmented_control(label, options, key=widget, format_func=names, on_change=chosen)


def select(
    label: str,
    key: str,
    options: Sequence[str],
    link: Link,
    names: Callable[[str], str] = str,
    empty: str | None = None,
    **also: Changed,
) -> None:
    """A choice from a list. empty: the name of "no choice", where that is one."""
    widget = f"choose-{key}"
    everything = [*([""] if empty is not None else []), *options]
    current = getattr(link, key) or ""
    st.session_state[widget] = current if current in everything else everything[0] if everything else ""

    def chosen() -> None:
        if st.session_state[widget] in everything:  # a browser that is behind may send what is no longer there
            write_link(link.with_(**{key: st.session_state[widget] or None}, **also))

    st.selectbox(
        label, everything, key=widget, format_func=lambda value: names(value) if value else f"({empty or ''})", on_change=chosen
    )


def words(label: str, key: str, link: Link, hint: str, **also: Changed) -> None:
    """A line of text."""
    widget = f"choose-{key}"
    st.session_state[widget] = getattr(link, key) or ""

    def chosen() -> None:
        write_link(link.with_(**{key: st.session_state[widget].strip() or None}, **also))

    st.text_input(label, key=widget, placeholder=hint, on_change=chosen)


def switch(label: str, key: str, link: Link, hint: str, **also: Changed) -> None:
    """Yes, or not said."""
    widget = f"choose-{key}"
    st.session_state[widget] = getattr(link, key) is not None

    def chosen() -> None:
        write_link(link.with_(**{key: "yes" if st.session_state[widget] else None}, **also))

    st.toggle(label, key=widget, help=hint, on_change=chosen)
