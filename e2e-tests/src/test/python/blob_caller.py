"""Uploads a blob, lets handlers in Node.js and Java make others of it, and reads the last one."""

import asyncio
import io

from millrace.client import AsyncClient, Handler

CONTENT = b"0123456789" * 1_000_000


async def main() -> None:
    async with AsyncClient() as client:
        blob = (await client.put_blob(io.BytesIO(CONTENT), media_type="text/plain")).reference()
        for handler in ("blobs.node", "blobs.java"):
            blob = await client.run(Handler(handler), {"blob": blob})
        async with client.open_blob(blob) as parts:
            assert await parts.read(len(CONTENT) + 100) != b""
        async with client.open_blob(blob) as parts:
            content = await parts.read()
    assert content == CONTENT + b" node java", f"{len(content)} bytes came back"
    print(blob["media_type"], blob["bytes"])


asyncio.run(main())
