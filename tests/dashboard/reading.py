"""What a page run by AppTest says."""

import json
from html import escape
from urllib.parse import parse_qsl


def html(at):
    """What the page says: its HTML, and the texts and hover texts of its tables."""
    said = [block.proto.body for block in at.get("html")]
    for table in tables(at).values():
        for row in table["rows"]:
            for cell in row["c"]:
                said += [escape(cell["t"]), escape(cell.get("h", "")), *(escape(chip["t"]) for chip in cell.get("k", ()))]
    return "\n".join(said).replace("\u00a0", " ")


def parts(at, name):
    """Data of the page's components of one name."""
    return [json.loads(e.proto.json) for e in at.get("bidi_component") if e.proto.component_name == f"flipbook_{name}"]


def tables(at):
    """The page's tables by caption."""
    return {table["caption"]: table for table in parts(at, "table")}


def column(table, label):
    """Texts of one column of a table."""
    index = [c["label"] for c in table["columns"]].index(label)
    return [row["c"][index]["t"] for row in table["rows"]]


def url(at):
    """The state the page puts into the address bar."""
    (nav,) = parts(at, "nav")
    return dict(parse_qsl(nav["search"].removeprefix("?")))


def press(at, name, event, value):
    """What the browser sends when somebody acts on the component of this name; runs the page."""
    (component,) = (e for e in at.get("bidi_component") if e.proto.component_name == f"flipbook_{name}")
    states = at._tree.get_widget_states()
    states.widgets.add(
        id=f"$$STREAMLIT_INTERNAL_KEY_{component.proto.id}__events",
        json_trigger_value=json.dumps([{"event": event, "value": value}]),
    )
    return at._run(widget_state=states)
