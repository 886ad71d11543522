"""Goes from one scheduler of a list to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, TypeVar

C = TypeVar("C")


class Channels(Generic[C]):
    """Channels to the schedulers of a list, each made when it is first needed. One serves until it fails. Thread-safe."""

    def __init__(self, targets: Sequence[str], make: Callable[[str], C]) -> None:
        """Begins with the first scheduler.

        Args:
            targets: Addresses of the schedulers.
            make: Makes the channel to an address.
        """
        self._targets = targets
        self._make = make
        self._lock = Lock()
        self._made: dict[int, C] = {}
        self._present = 0

    def route(self) -> Route[C]:
        """Returns the way of a new call."""
        return Route(self, len(self._targets))

    def present(self) -> tuple[int, C]:
        """Returns the channel that serves, with its place in the list."""
        with self._lock:
            place = self._present
            if place not in self._made:
                self._made[place] = self._make(self._targets[place])
            return place, self._made[place]

    def leave(self, place: int) -> None:
        """Lets the next scheduler serve, unless another call has left this one already."""
        with self._lock:
            if self._present == place:
                self._present = (place + 1) % len(self._targets)

    def take_all(self) -> list[C]:
        """Returns the channels that were made, and forgets them."""
        with self._lock:
            taken, self._made = list(self._made.values()), {}
            return taken


class Route(Generic[C]):
    """Where one call is sent: to each scheduler of the list before it waits. Not thread-safe."""

    __slots__ = ("_channels", "_count", "_place", "_untried")

    def __init__(self, channels: Channels[C], count: int) -> None:
        self._channels = channels
        self._count = count
        self._untried = count - 1
        self._place = 0

    def channel(self) -> C:
        """Returns the channel for the next attempt."""
        self._place, channel = self._channels.present()
        return channel

    def leads_on(self) -> bool:
        """Leaves a scheduler that does not answer; returns whether there is one that the call has not been sent to.

        If there is none, the next attempt begins a new round.
        """
        self._channels.leave(self._place)
        is_another_left = self._untried > 0
        self._untried = self._untried - 1 if is_another_left else self._count - 1
        return is_another_left
