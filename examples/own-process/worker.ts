// The same handlers as in worker.py, in TypeScript.

import { setTimeout } from "node:timers/promises";
import { NonRetryableError, Worker } from "millrace/worker";

const DAY_MILLIS = 24 * 3_600_000;

interface Order {
  readonly number: number;
  readonly ordered: string;
  readonly prices: readonly string[];
}

const worker = new Worker({ slots: 4 });

worker.job("orders.price", ({ order }: { readonly order: Order }, ctx) => {
  if (order.prices.length === 0) throw new NonRetryableError(`The order ${order.number} is empty: add an item.`);
  ctx.log(`${order.prices.length} items`);
  const cents = order.prices.reduce((sum, price) => sum + Math.round(Number(price) * 100), 0);
  const due = new Date(Date.parse(order.ordered) + 3 * DAY_MILLIS);
  return { total: (cents / 100).toFixed(2), due: due.toISOString().slice(0, 10) };
});

worker.job("orders.ship", async (input: { readonly number: number; readonly due: string }, ctx) => {
  await setTimeout(10, undefined, { signal: ctx.signal }); // Here a real handler would call a carrier.
  const due = new Date(input.due).toLocaleDateString("en-GB", { day: "2-digit", month: "long", timeZone: "UTC" });
  return `parcel ${input.number}, due on ${due}`;
});

await worker.run();
