import { expect, test } from "vitest";
import { Offers } from "#/shell/offers.ts";

test("shows what is offered, until it is withdrawn", () => {
  const offers = new Offers();
  const withdraw = offers.add({ label: "Retry", open: () => undefined }, 0);
  offers.add({ label: "Drain", open: () => undefined }, 0);
  offers.add({ label: "Drain", open: () => undefined }, 0);
  expect(offers.distinct().map(({ label }) => label)).toEqual(["Retry"]);
  withdraw();
  expect(offers.distinct()).toEqual([]);
});

test.each([
  ["in time", 9_000, ["New schedule"]],
  ["too late", 11_000, []],
])("opens what somebody waits for: %s", (_, millis, expected) => {
  const opened: string[] = [];
  const offers = new Offers();
  offers.openOnceOffered("New schedule", 0);
  offers.add({ label: "Retry", open: () => opened.push("Retry") }, millis);
  offers.add({ label: "New schedule", open: () => opened.push("New schedule") }, millis);
  offers.add({ label: "New schedule", open: () => opened.push("again") }, millis);
  expect(opened).toEqual(expected);
});

test("opens at once what is there", () => {
  const opened: string[] = [];
  const offers = new Offers();
  offers.add({ label: "Retry", open: () => opened.push("Retry") }, 0);
  offers.openOnceOffered("Retry", 0);
  expect(opened).toEqual(["Retry"]);
});
