"""The extractors that come with Flipbook."""

from store.extractors.spec import ExtractorSpec, RegexStep

_NUMBER = r"[-+\u2212]?\$?\s?(?:\d[\d,]*(?:\.\d+)?|\.\d+)"

ANSWER_LINE = ExtractorSpec(
    name="answer-line@1",
    canonical="number",
    steps=(
        RegexStep(
            kind="regex",
            path="regex",
            pattern=rf"the final answer is\s*+:?\s*+(?:\\boxed\{{\s*+)?({_NUMBER})",
            which="last",
            ignore_case=True,
        ),
        RegexStep(kind="regex", path="last_number", pattern=rf"({_NUMBER})", which="last", ignore_case=False),
    ),
)
"""The seed study's rule: the last line "the final answer is N", else the last number in the text."""

SHIPPED: dict[str, ExtractorSpec] = {spec.name: spec for spec in (ANSWER_LINE,)}
