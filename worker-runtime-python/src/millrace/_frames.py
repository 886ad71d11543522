"""Encodes the frames that a process sends to its host, as docs/reference/process-protocol.md specifies."""

from __future__ import annotations

from json.encoder import JSONEncoder, encode_basestring

PROTOCOL_VERSION = 2
LOG_TEXT_BYTES_MAX = 32 * 1024
"""Longest text of one log frame, in bytes of UTF-8."""


def ready(runtime: str) -> bytes:
    return _utf8(f'{{"type":"ready","protocol":{PROTOCOL_VERSION},"runtime":{encode_basestring(runtime)}}}\n')


def load_error(*, name: str, message: str, stack: str) -> bytes:
    return _object({"type": "load_error", "name": name, "message": message, "stack": stack})


def log(job_id: str, stream: str, text: str) -> bytes:
    return _utf8(
        f'{{"type":"log","id":{encode_basestring(job_id)},"stream":"{stream}","text":{encode_basestring(text)}}}\n'
    )


def result(job_id: str, value_json: bytes) -> bytes:
    return b'{"type":"result","id":%b,"result":%b}\n' % (_utf8(encode_basestring(job_id)), value_json)


def progress(job_id: str, value_json: bytes) -> bytes:
    return b'{"type":"progress","id":%b,"value":%b}\n' % (_utf8(encode_basestring(job_id)), value_json)


def span(job_id: str, span_json: bytes) -> bytes:
    return b'{"type":"span","id":%b,"span":%b}\n' % (_utf8(encode_basestring(job_id)), span_json)


def call(job_id: str, number: int, method: str, arguments_json: bytes) -> bytes:
    head = f'{{"type":"call","id":{encode_basestring(job_id)},"call":{number},"method":"{method}","arguments":'
    return _utf8(head) + arguments_json + b"}\n"


def error(job_id: str, *, name: str, message: str, stack: str, retryable: bool, spent: bool = False) -> bytes:
    """`spent` says that the process runs no further job."""
    end: dict[str, object] = {"spent": True} if spent else {}
    return _object(
        {"type": "error", "id": job_id, "name": name, "message": message, "stack": stack, "retryable": retryable, **end}
    )


def _object(members: dict[str, object]) -> bytes:
    return _utf8(_compact_encode(members)) + b"\n"


def _utf8(text: str) -> bytes:
    # Text from user code may contain lone surrogates, which UTF-8 cannot encode: they become question marks.
    return text.encode("utf-8", "replace")


_compact_encode = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
