"""Secrets in what a handler sends."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from millrace._proto.worker.v1.job_api_service_pb2 import ResolvedValue, ResolveSecretsResponse
from millrace.worker._masks import PATTERN_CHARS_MAX, Masks, TooManySpellings
from millrace.worker._secrets import fill

SECRET = 'p@ss/"wörd" 1+2'


@pytest.mark.parametrize(
    "spelled",
    [
        SECRET,
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1].replace("/", "\\/"),
        repr(SECRET)[1:-1],
        quote(SECRET),
        quote(SECRET, safe="").lower().replace("%40", "%40"),
        SECRET.encode().hex(),
        SECRET.encode().hex().upper(),
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
    ],
)
def test_finds_every_spelling(spelled: str) -> None:
    masks = Masks([SECRET.encode()])

    assert masks.text(f"before {spelled} after") == "before *** after"


@pytest.mark.parametrize("before", ["", "a", "ab", "user:"])
@pytest.mark.parametrize("after", ["", "x", "xy"])
def test_finds_secrets_inside_of_base64(before: str, after: str) -> None:
    encoded = base64.b64encode(f"{before}correct-horse-battery{after}".encode()).decode()

    masked = Masks([b"correct-horse-battery"]).text(f"Basic {encoded}")

    assert "***" in masked
    assert len(masked) < len(encoded), "only the ends remain, which depend on the other bytes"


def test_lines_and_texts_in_json_are_secrets_too() -> None:
    masks = Masks([b"-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----", b'{"user": "ann", "pass": "hunter2hunter2"}'])

    assert masks.text("MIIEvQIBADANBg and hunter2hunter2, ann") == "*** and ***, ann"


def test_results_stay_json() -> None:
    masks = Masks([b"correct-horse", b"12345678"])
    result = {"text": "a correct-horse b", "correct-horse": 1, "number": 1234567890, "plain": [1, True, None, "x"]}

    masked = json.loads(masks.json(json.dumps(result).encode()))

    assert masked == {"text": "a *** b", "***": 1, "number": "***", "plain": [1, True, None, "x"]}


def test_a_secret_that_covers_several_values_hides_the_whole_result() -> None:
    assert json.loads(Masks([b'one","two']).json(b'["one","two"]')) == "***"


def test_short_texts_are_not_masked() -> None:
    assert Masks([b"seven77"]).text("seven77") == "seven77"
    assert Masks([]).json(b'{"a": 1}') == b'{"a": 1}'


def test_refuses_secrets_that_are_too_large() -> None:
    with pytest.raises(TooManySpellings):
        Masks([b"x" * PATTERN_CHARS_MAX])


def test_fills_exactly_the_places() -> None:
    answer = ResolveSecretsResponse(
        values=[
            ResolvedValue(pointer="/list/1/a~1b", value=b'"secret"'),
            ResolvedValue(pointer="/whole", value=b'{"user": "ann"}'),
        ]
    )

    filled = fill(b'{"list": [0, {"a/b": "?"}], "whole": "?", "text": "${{ secrets.x }}"}', answer)

    assert json.loads(filled) == {
        "list": [0, {"a/b": "secret"}],
        "whole": {"user": "ann"},
        "text": "${{ secrets.x }}",
    }


def test_refuses_a_pointer_that_leads_nowhere() -> None:
    with pytest.raises(LookupError):
        fill(b"{}", ResolveSecretsResponse(values=[ResolvedValue(pointer="/a/b", value=b"1")]))
