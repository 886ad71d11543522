import { expect, test } from "vitest";
import type { RunOperation, Step } from "#/api/types.ts";
import { happenings } from "#/pages/run/run_history.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function wait(key: string, state: Step["state"], second: number, more: Partial<Step>): Step {
  return { job_id: key, key, kind: "wait", state, attempt: 1, end_time: at(second), ...more };
}

test("tells answers, operations and retries in their order", () => {
  const operation = { id: "1", operation: "pause", create_time: at(2), actor: "eve" } as unknown as RunOperation;
  const result = { approvers: ["ann"], payload: { why: "tests pass" }, payloads: [] };
  const retried: Step = { job_id: "j", key: "load", kind: "script", state: "succeeded", attempt: 2 };
  const attempt = { number: 1, begin: 0, end: Date.parse(at(3)), hasFailed: true, message: "Boom", worker: "w1" };
  const last = { ...attempt, number: 2, end: Date.parse(at(4)), hasFailed: false };
  const found = happenings(
    { state: "succeeded", end_time: at(6) },
    [operation, { ...operation, id: "2", operation: "rerun", create_time: at(9) }],
    [wait("ok", "succeeded", 1, { result }), wait("pause", "succeeded", 5, { result: null })],
    [retried],
    new Map([["j", [attempt, last]]]),
  );

  expect(found.map(({ kind }) => kind)).toEqual(["answer", "operation", "attempt", "end", "operation"]);
  expect(found[0]).toMatchObject({ step: "ok", hasSucceeded: true, people: ["ann"], payload: { why: "tests pass" } });
  expect(found[2]).toMatchObject({ step: "load", attempt: { number: 1, message: "Boom" } });
});

test("tells why a wait ended without its answer, and nothing of one that lasts", () => {
  const error = { name: "Denied", message: "It was denied by bob." };
  const found = happenings(
    { state: "running" },
    [],
    [wait("ok", "failed", 1, { error }), { ...wait("b", "running", 2, {}), end_time: undefined } as unknown as Step],
    [],
    new Map(),
  );

  expect(found).toEqual([
    { kind: "answer", time: at(1), step: "ok", hasSucceeded: false, people: [], message: "It was denied by bob." },
  ]);
});
