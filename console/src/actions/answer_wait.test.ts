import { expect, test } from "vitest";
import { answerArguments, verdictsOf } from "#/actions/answer_wait.ts";

test("tells which answers a wait takes", () => {
  expect(verdictsOf({ kind: "approval" })).toEqual(["approve", "deny"]);
  expect(verdictsOf({ kind: "human" })).toEqual(["complete", "deny"]);
  expect(verdictsOf({ kind: "signal" })).toEqual([]);
});

test("says the whole answer in the command", () => {
  const waiting = { run: "r", step: "release" };
  expect(answerArguments(waiting, "approve", {})).toEqual(["runs", "approve", "r", "release"]);
  expect(answerArguments(waiting, "complete", { payload: { note: "ok" }, actor: "Ann" })).toEqual([
    "runs",
    "complete",
    "r",
    "release",
    "--payload",
    '{"note":"ok"}',
    "--actor",
    "Ann",
  ]);
});
