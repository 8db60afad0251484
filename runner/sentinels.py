"""The fixed prompts of the numeric fingerprint (METHOD Part 5, P3): plain texts, continued greedily."""

SENTINELS: tuple[str, ...] = (
    "The capital of Norway is",
    "Seven times eight equals",
    "def add(a, b):\n    return",
    "Water boils at a temperature of",
    "In the year 1969, two astronauts",
    "The opposite of hot is",
    "SELECT name, age FROM people WHERE",
    "Monday, Tuesday, Wednesday,",
    "1, 1, 2, 3, 5, 8, 13,",
    "The river flows from the mountains to",
    '{"name": "Ada", "year":',
    "Dear Sir or Madam, I am writing to",
    "The chemical symbol of gold is",
    "He opened the door and saw",
    "Once upon a time there was a small",
    "The sum of twelve and thirty is",
    "Bread, butter and",
    "北京是中国的",
    "三加四等于",
    "Le chat est assis sur",
    "Der Zug fährt um acht Uhr",
    "for i in range(10):\n    print(",
    "The largest planet of the solar system is",
    "A triangle has three sides and",
    "To be or not to be, that is",
    "The train leaves at 9:15 and arrives at",
    "x = 3\ny = 4\nprint(x * y)  #",
    "Please answer with yes or no:",
    "The price rose from 40 to 50 euros, an increase of",
    "Light travels faster than",
    "Step 1: wash the apples. Step 2:",
    "The first ten prime numbers are 2, 3, 5,",
)
"""Thirty-two of them. A changed list is a new list: its version is in the fingerprint's digest."""

VERSION = "sentinels/1"
STEPS = 16
TOP_K = 5
WARM_UP = "The weather today is"
WARM_UP_STEPS = 8
