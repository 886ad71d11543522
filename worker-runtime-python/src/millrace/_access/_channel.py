"""Settings of gRPC channels to a scheduler."""

from __future__ import annotations

from pathlib import Path

import grpc

from ._errors import AccessError
from ._settings import SYSTEM_AUTHORITIES, TlsFiles

INBOUND_BYTES_MAX = 64 << 20
"""Largest message of the scheduler in bytes."""

PING_MILLIS = 10_000
"""Silence after which a connection with open calls is pinged."""

PING_TIMEOUT_MILLIS = 4_000
"""Time in which a ping must be answered; the connection then counts as dead and its calls fail."""

RECONNECT_MILLIS_MIN = 100
RECONNECT_MILLIS_MAX = 3_000

CONNECT_MILLIS_MAX = 5_000
"""Longest time in which a connection must be made, with its TLS handshake."""


def channel_options() -> list[tuple[str, int]]:
    """Returns the options of a channel: its own retries are off, since callers retry with their own limits."""
    return [
        ("grpc.max_receive_message_length", INBOUND_BYTES_MAX),
        ("grpc.max_send_message_length", INBOUND_BYTES_MAX),
        ("grpc.keepalive_time_ms", PING_MILLIS),
        ("grpc.keepalive_timeout_ms", PING_TIMEOUT_MILLIS),
        ("grpc.initial_reconnect_backoff_ms", RECONNECT_MILLIS_MIN),
        ("grpc.min_reconnect_backoff_ms", CONNECT_MILLIS_MAX),
        ("grpc.max_reconnect_backoff_ms", RECONNECT_MILLIS_MAX),
        ("grpc.enable_retries", 0),
        ("grpc.use_local_subchannel_pool", 1),
    ]


def channel_credentials(tls: TlsFiles) -> grpc.ChannelCredentials:
    """Reads the files of a connection with TLS.

    Raises:
        AccessError: A file cannot be read.
    """
    try:
        return grpc.ssl_channel_credentials(
            root_certificates=None if tls.ca_file == SYSTEM_AUTHORITIES else Path(tls.ca_file).read_bytes(),
            private_key=Path(tls.key_file).read_bytes() if tls.key_file else None,
            certificate_chain=Path(tls.certificate_file).read_bytes() if tls.certificate_file else None,
        )
    except OSError as error:
        raise AccessError(f"A certificate or key cannot be read: {error}. Check its path and permissions.") from error
