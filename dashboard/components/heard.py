"""What a component of ours says in a callback."""

import streamlit as st


def heard(key: str, event: str) -> object:
    """The value of an event, null when there is none.

    A run that was cut off by the next click leaves no state of the component behind, though the click still comes.
    """
    state = st.session_state.get(key)
    return None if state is None else getattr(state, event, None)
