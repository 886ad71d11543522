"""Calls a webhook with a signature of Standard Webhooks 1.0: call.py URL SECRET BODY."""

import base64
import hashlib
import hmac
import sys
import time
import urllib.request
import uuid

url, secret, body = sys.argv[1:4]
message, now = f"msg_{uuid.uuid4().hex}", str(int(time.time()))
signed = f"{message}.{now}.{body}".encode()
signature = base64.b64encode(hmac.new(secret.encode(), signed, hashlib.sha256).digest()).decode()
request = urllib.request.Request(
    url,
    body.encode(),
    {
        "content-type": "application/json",
        "webhook-id": message,
        "webhook-timestamp": now,
        "webhook-signature": f"v1,{signature}",
    },
)
with urllib.request.urlopen(request) as answer:
    print(answer.read().decode())
