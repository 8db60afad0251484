"""The words a reader meets on the pages, in a sentence each; docs/GLOSSARY.md has them in full."""

WORDS: tuple[tuple[str, str], ...] = (
    ("Deployment", "one engine process from start to exit, with the kernels it compiled and tuned"),
    ("Cell", "all fresh deployments of one declared configuration; cap8 is a batch cap of 8 requests at a time"),
    ("Arm", "one value of the weight format, such as BF16 or INT4"),
    ("Run", "one pass over the question set in one deployment"),
    ("Grid, probe, builder, loader, anchor", "why a run was made; only grid runs make up cells"),
    ("Class", "runs whose outputs are equal, by tokens, text, answer or verdict"),
    (
        "Extractor",
        "the rule that reads an answer out of a text; answer-line@1 reads the last answer line, else the last number",
    ),
    ("Unscored", "no verdict: the request failed, the gold is missing, or nobody scored it; never counted as wrong"),
    ("Generation", "how many ingests this store has had; a link shows the store as of its own"),
    ("Finding", "a doubt that belongs beside a number"),
)
