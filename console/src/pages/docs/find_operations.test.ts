import { expect, test } from "vitest";
import { findOperations, searchEntries } from "#/pages/docs/find_operations.ts";
import type { Operation } from "#/pages/docs/reference.ts";

const NONE = { description: "", parameters: [], bodies: [], answers: [] };

const OPERATIONS: readonly Operation[] = [
  {
    ...NONE,
    id: "listRuns",
    method: "GET",
    path: "/api/v1/runs",
    tag: "runs",
    summary: "List runs.",
    description: "Does not cancel them.",
  },
  { ...NONE, id: "cancelRun", method: "POST", path: "/api/v1/runs/{id}:cancel", tag: "runs", summary: "Cancel a run." },
  {
    ...NONE,
    id: "submitRun",
    method: "POST",
    path: "/api/v1/runs",
    tag: "runs",
    summary: "Start a run.",
    bodies: [{ type: "application/json", schema: { $ref: "#/components/schemas/Submission" } }],
  },
];

const entries = searchEntries({
  description: "",
  operations: OPERATIONS,
  schemas: { Submission: { allOf: [{ properties: { idempotency: {} } }], properties: { target: {} } } },
});
const find = (question: string) => findOperations(entries, question).map(({ id }) => id);

test("finds operations by all words, those with the words in their titles first", () => {
  expect(find("cancel RUN")).toEqual(["cancelRun", "listRuns"]);
  expect(find("post runs")).toEqual(["cancelRun", "submitRun"]);
});

test("finds operations by the fields of their bodies", () => {
  expect(find("target")).toEqual(["submitRun"]);
  expect(find("idempotency submission")).toEqual(["submitRun"]);
});

test("shows all operations without a question, and none for a word that nothing has", () => {
  expect(find(" ")).toHaveLength(3);
  expect(find("webhook")).toEqual([]);
});
