"""How programs reach their scheduler: addresses, tokens and certificates. Shared by client and worker."""

from ._channel import INBOUND_BYTES_MAX, channel_credentials, channel_options
from ._channels import Channels, Route
from ._contexts import Context, Contexts, read_contexts
from ._settings import Access, AccessError, TlsFiles, choose_access
from ._status import CallStatus, read_status
from ._tokens import TokenSource

__all__ = [
    "INBOUND_BYTES_MAX",
    "Access",
    "AccessError",
    "CallStatus",
    "Channels",
    "Context",
    "Contexts",
    "Route",
    "TlsFiles",
    "TokenSource",
    "channel_credentials",
    "channel_options",
    "choose_access",
    "read_contexts",
    "read_status",
]
