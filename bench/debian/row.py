"""One row of the table."""

import dataclasses
from typing import Callable


@dataclasses.dataclass
class Row:
    name: str
    build: Callable  # of the workshop; the command to check
    expect: str = "ok"
    options: tuple = ()  # of mazurka check
    note: str = ""
    seconds: int = 0  # its time limit; 0: the usual one
    one_processor: bool = False  # the program sees one only, and does not spin before it waits
