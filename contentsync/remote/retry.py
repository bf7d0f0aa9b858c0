"""What follows a request that did not succeed: a table, and how long to wait.

| what happened                                          | a read | a write |
|---|---|---|
| UNSENT: no connection; nothing left this machine       | again  | again   |
| LIMITED: 429; it was not looked at                     | again  | again   |
| UNCLEAR: it left, and no answer says what became of it | again  | unknown |
| REFUSED: any other answer; it would be the same again  | no     | no      |

A write whose outcome is unknown is not repeated here: whoever knows what it was reads it back first.
"""

from enum import Enum, auto

BACKOFF = 0.25  # seconds before the second try; doubled for each one after it
TRIES = 4
LIMITED_TRIES = 10  # others may take the room that the wait was for
WINDOW = 60.0  # seconds; a rate limit is a number a minute

PATIENCE = 600.0  # seconds


class Failure(Enum):
    """What is known of a request that did not succeed."""

    UNSENT = auto()
    LIMITED = auto()
    UNCLEAR = auto()
    REFUSED = auto()


class End(Enum):
    """Why a request is not sent again."""

    GIVE_UP = auto()  # nothing was changed by it
    UNKNOWN = auto()  # it may have been done


def decide(failure: Failure, *, safe: bool, tries: int, asked: float | None = None, chance: float = 1.0) -> float | End:
    """The seconds to wait before the request is sent again, or why it is not.

    `safe` requests change nothing on the server; `tries` were made; `asked` is what the server wants to be left
    alone for; `chance`, 0 to 1, keeps several clients from coming back together.
    """
    if failure is Failure.UNCLEAR and not safe:
        return End.UNKNOWN
    if failure is Failure.REFUSED or tries >= (LIMITED_TRIES if failure is Failure.LIMITED else TRIES):
        return End.GIVE_UP
    if failure is Failure.LIMITED:
        return WINDOW if asked is None else max(1.0, asked)
    return max(asked or 0.0, BACKOFF * float(2 ** (tries - 1)) * (1 + chance) / 2)


class Patience:
    """The seconds that a run may lose to waits that a server asks for, and to tries that came to nothing."""

    def __init__(self, seconds: float = PATIENCE) -> None:
        self._left = seconds

    def spend(self, seconds: float) -> bool:
        """Whether there is so much left; if so, it is spent."""
        if seconds > self._left:
            return False
        self._left -= seconds
        return True
