import { expect, test } from "vitest";
import { usersOf } from "#/pages/definitions/users.ts";

const schedules = [
  { path: "shop/nightly", run: { target: { flow: "shop/report" } } },
  { path: "shop/hourly", run: { target: { script: "shop/report" } } },
];
const triggers = [
  { path: "shop/paid", kind: "webhook" as const, run: { target: { flow: "shop/report" } } },
  { path: "shop/orders", kind: "kafka" as const, run: { target: { flow: "shop/other" } } },
];

test("names flows, schedules and triggers that start a flow", () => {
  expect(usersOf("flow", "shop/report", { flows: ["shop/all"], schedules, triggers })).toEqual([
    { kind: "flow", path: "shop/all" },
    { kind: "schedule", path: "shop/nightly" },
    { kind: "webhook", path: "shop/paid" },
  ]);
});

test("tells a script from a flow of the same path", () => {
  expect(usersOf("script", "shop/report", { flows: [], schedules, triggers })).toEqual([
    { kind: "schedule", path: "shop/hourly" },
  ]);
});
