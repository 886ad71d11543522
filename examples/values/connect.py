"""Keeps a token as a secret, and what it belongs to as a resource."""

from dataclasses import dataclass

import millrace


@dataclass
class Service:
    url: str
    account: str


def main(account: str) -> dict[str, object]:
    job = millrace.current()
    # A service would issue the token. From here on, it is masked in all that the script prints and returns.
    job.secrets.set("examples/token", f"token of {account}")
    job.resources.set("examples/service", {"url": "https://service.example", "account": account})

    service = job.resources.get("examples/service", Service)
    token = job.secrets.get("examples/token")
    job.state.set({"last_account": service.account})
    return {"url": service.url, "token": token, "length": len(token), "state": job.state.get()}
