// As src/test/python/submit_many.py, for Node.js.

import { createInterface } from "node:readline/promises";
import { Client } from "millrace/client";

using client = new Client();
for await (const line of createInterface({ input: process.stdin })) {
  const number = Number(line);
  await client.submit({ handler: "tests.nobody" }, { number });
  console.log(number);
}
