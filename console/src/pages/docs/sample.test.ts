import { expect, test } from "vitest";
import type { Operation } from "#/pages/docs/reference.ts";
import { curlCommand, sampleOf } from "#/pages/docs/sample.ts";

const SCHEMAS = {
  Run: {
    type: "object",
    allOf: [{ properties: { id: { type: "string", example: "r1" } }, required: ["id"] }],
    properties: { inner: { $ref: "#/components/schemas/Run" }, count: { type: "integer", minimum: 3 } },
    required: ["count", "inner"],
  },
} as const;

const OPERATION: Operation = {
  id: "change",
  method: "PUT",
  path: "/api/v1/things/{name}",
  tag: "things",
  summary: "",
  description: "",
  parameters: [
    { name: "mode", in: "query", required: true, description: "", schema: { enum: ["a b", "c"] } },
    { name: "other", in: "query", required: false, description: "", schema: {} },
  ],
  bodies: [{ type: "application/json", example: { text: "it's" } }],
  answers: [],
};

test("fills the required fields, and ends in a schema that contains itself", () => {
  const sample = sampleOf({ $ref: "#/components/schemas/Run" }, SCHEMAS);

  expect(sample).toMatchObject({ id: "r1", count: 3, inner: { id: "r1", count: 3 } });
  expect(JSON.stringify(sample).length).toBeLessThan(500);
});

test("writes a call that a shell takes", () => {
  expect(curlCommand(OPERATION, {}, "http://localhost:8400/")).toBe(
    [
      "curl -X PUT 'http://localhost:8400/api/v1/things/{name}?mode=a%20b'",
      "-H 'Content-Type: application/json'",
      `-d '{"text":"it'\\''s"}'`,
    ].join(" \\\n  "),
  );
});
