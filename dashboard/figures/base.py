"""What all charts share: colours of arms, sizes, and how a click becomes a step of the page's state."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import altair as alt
import streamlit as st

from dashboard.components.save import save_bar
from dashboard.components.still import Picture, show_still
from dashboard.figures.kept import Kept
from dashboard.figures.save import figure_saves
from dashboard.figures.still import Still
from dashboard.style import ARM_COLOURS, ARM_SHAPES

WHOLE = 60
"""Runs up to which a chart names each and draws every pair twice; above it pages begin with cells."""

WIDTH_OF_SIGN, ROOM = 7, 820
"""Pixels of a sign of an axis label, and of the room labels have side by side."""


TAKEN = frozenset(
    {"__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__", "constructor"}
    | {"hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf"}
)
"""Names that every JavaScript object has: as a value of an axis they would draw nothing."""


def charted(name: str) -> str:
    """A name as a chart's data holds it."""
    return f"\u00a0{name}" if name in TAKEN else name


def uncharted(value: str) -> str:
    """The name again."""
    return value[1:] if value[:1] == "\u00a0" and value[1:] in TAKEN else value


def arm_colour(arms: Sequence[str]) -> alt.Color:
    """Colour of an arm, the same in every chart of a study."""
    return alt.Color(
        "arm:N",
        title="arm",
        scale=alt.Scale(domain=list(arms), range=_cycle(ARM_COLOURS, arms)),
        legend=alt.Legend(orient="top"),
    )


def arm_shape(arms: Sequence[str]) -> alt.Shape:
    """Shape of an arm, so that colour is never alone."""
    return alt.Shape("arm:N", title="arm", scale=alt.Scale(domain=list(arms), range=_cycle(ARM_SHAPES, arms)))


def label_angle(labels: Sequence[str]) -> int:
    """0 where all labels fit side by side, else slanted."""
    return 0 if max(map(len, labels), default=0) * WIDTH_OF_SIGN * len(labels) <= ROOM else -35


def slant_room(labels: Sequence[str]) -> int:
    """Pixels that the labels of an x axis take below it beyond one line."""
    return 0 if label_angle(labels) == 0 else int(0.6 * room_for(labels))


def slots(values: Sequence[object], most: int = 3) -> list[int]:
    """Places of equal values beside each other: 0 for the first, then 1, -1, 2, -2, … up to `most` on either side."""
    seen: Counter[object] = Counter()
    places = []
    for value in values:
        index = seen[value]
        seen[value] += 1
        places.append(max(-most, min(most, (index + 1) // 2 * (1 if index % 2 else -1))))
    return places


def room_for(labels: Sequence[str], most: int = 160) -> int:
    """Pixels that labels standing on end take, the longest `most`."""
    return min(most, WIDTH_OF_SIGN * max(map(len, labels), default=0))


def draw(name: str, figure: Kept, alt_text: str) -> None:
    """Draw a chart that cannot be clicked. alt_text: what it shows, for those who cannot see it."""
    saves = figure_saves(name, alt_text, figure.chart)
    if figure.still:
        show_still(f"chart-{name}", _picture(figure.still, alt_text), saves)
    else:
        st.vega_lite_chart(None, figure.sent(), alt=alt_text)
        save_bar(saves)


def clickable(
    name: str,
    figure: Kept,
    alt_text: str,
    fields: Sequence[str],
    on_pick: Callable[[dict[str, str]], None],
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Draw a chart whose point selection `pick` is on `fields`; a click calls `on_pick` before the page is drawn again.

    width: pixels with axes and legend, where the browser draws; the page's width where that is less.

    The chart gets a new key with every click, so that Back does not meet its old selection and bounce forward again.
    """
    turn = f"chart-{name}-turn"
    key = f"chart-{name}-{st.session_state.setdefault(turn, 0)}"
    said, saves = f"{alt_text}. A click opens it.", figure_saves(name, alt_text, figure.chart)

    def chosen(point: Mapping[str, object]) -> None:
        st.session_state[turn] += 1
        if all(field in point for field in fields):
            on_pick({field: uncharted(str(point[field])) for field in fields})

    def drawn() -> None:
        points = st.session_state.get(key, {"selection": {"pick": []}})["selection"]["pick"]
        chosen(points[0] if points else {})

    if still := figure.still:
        show_still(key, _picture(still, said), saves, lambda row: chosen(still.rows[row]))
    else:
        st.vega_lite_chart(None, figure.sent(), key=key, on_select=drawn, selection_mode="pick", alt=said, width=width)
        save_bar(saves)


def pick(*fields: str) -> alt.Parameter:
    """The selection that `clickable` listens to."""
    return alt.selection_point(name="pick", fields=list(fields), on="click", empty=False)


def _picture(still: Still, alt_text: str) -> Picture:
    return Picture(still.name, still.svg, still.width, alt_text)


def _cycle(values: tuple[str, ...], arms: Sequence[str]) -> list[str]:
    return [values[i % len(values)] for i in range(len(arms))]
