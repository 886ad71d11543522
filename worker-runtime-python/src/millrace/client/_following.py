"""What a client remembers of a stream about a run, so that a new connection continues it."""

from __future__ import annotations

from ._models import LogChunk, Run, Step


class Following:
    """Place in the events of one run. A new stream repeats the present state; `take` lets only news through."""

    __slots__ = ("_run", "_steps", "ended", "position")

    def __init__(self) -> None:
        self.position = 0
        self.ended = False
        self._run: Run | None = None
        self._steps: dict[str, Step] = {}

    def take(self, event: Run | Step | LogChunk | None) -> Run | Step | LogChunk | None:
        """Returns the event if it is news, else None."""
        match event:
            case None:
                return None
            case LogChunk():
                if event.position <= self.position:
                    return None
                self.position = event.position
                return event
            case Run():
                self.ended = event.state.is_end
                known, self._run = self._run, event
                return None if known == event else event
            case Step():
                known_step = self._steps.get(event.job_id)
                self._steps[event.job_id] = event
                return None if known_step == event else event
