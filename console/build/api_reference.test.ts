import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiReference } from "./api_reference.ts";

const DOCUMENT = new URL(
  "../../api-gateway/src/main/resources/dev/millrace/gateway/docs/openapi.yaml",
  import.meta.url,
);

const SMALL = `
info: {description: How to call.}
tags: [{name: runs}, {name: flows}]
paths:
  /flows/{path}:
    parameters: [{$ref: '#/components/parameters/Path'}]
    get:
      tags: [flows]
      operationId: getFlow
      summary: Get a flow.
      responses: {default: {$ref: '#/components/responses/Problem'}}
  /runs:
    post:
      tags: [runs]
      operationId: submitRun
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Run'}, examples: {a: {value: 1}}}}}
components:
  parameters: {Path: {name: path, in: path, required: true, schema: {type: string}}}
  responses: {Problem: {description: It was refused.}}
  schemas: {Run: {type: object}}
`;

test("has what references name, in the order of the tags", () => {
  const { operations } = apiReference(SMALL);

  expect(operations.map(({ id }) => id)).toEqual(["submitRun", "getFlow"]);
  expect(operations[0]?.bodies).toEqual([
    { type: "application/json", schema: { $ref: "#/components/schemas/Run" }, example: 1 },
  ]);
  expect(operations[1]).toMatchObject({
    method: "GET",
    parameters: [{ name: "path", in: "path", required: true, description: "" }],
    answers: [{ status: "default", description: "It was refused.", contents: [] }],
  });
});

test("rejects a document with a reference to nothing", () => {
  expect(() => apiReference(SMALL.replace("responses/Problem", "responses/None"))).toThrow(
    "#/components/responses/None",
  );
});

test("has all operations of the gateway, with names for addresses that differ", () => {
  const { operations, schemas } = apiReference(readFileSync(DOCUMENT, "utf8"));
  const ids = operations.map(({ id }) => id);

  expect(ids).toContain("submitRun");
  expect(new Set(ids).size).toBe(ids.length);
  expect(operations.every(({ summary, tag }) => summary !== "" && tag !== "")).toBe(true);
  expect(schemas.Run).toBeDefined();
});
