"""The error of settings that cannot be used."""

from __future__ import annotations

from .._errors import MillraceError


class AccessError(MillraceError):
    """The settings name no scheduler, or one that the program must not call in this way. The message says what to change."""

    retryable = False
