import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { suggestions } from "#/pages/editor/completion.ts";
import { yamlPlace } from "#/pages/editor/yaml_place.ts";
import flowSchema from "../../../../schema/millrace-flow.json";

const REPOSITORY = new URL("../../../..", import.meta.url).pathname;

function labels(text: string): readonly string[] {
  const place = yamlPlace(text, text.length);
  return place === undefined ? [] : suggestions(flowSchema, place).map(({ label }) => label);
}

test("suggests keys and values by the schema of the dialect", () => {
  expect(labels("millrace: v1\n")).toEqual(expect.arrayContaining(["name", "steps", "inputs"]));
  expect(labels("millrace: v1\n")).not.toContain("millrace");
  expect(labels("millrace: ")).toEqual(["v1"]);
  expect(labels("steps:\n  - id: a\n    ")).toEqual(expect.arrayContaining(["script", "for_each", "wait"]));
  expect(labels("steps:\n  - id: a\n    wait:\n      on_timeout: ")).toEqual(["fail", "continue"]);
  expect(labels("steps:\n  - id: a\n    retry:\n      ")).toContain("max_retries");
  expect(labels("inputs:\n  mode:\n    type: ")).toContain("integer");
  expect(labels("same_worker: ")).toEqual(["true", "false"]);
  expect(
    labels("steps:\n  - id: a\n    switch:\n      cases:\n        - steps:\n            - id: b\n              "),
  ).toContain("script");
});

/** All flows in the dialect millrace among the examples and the flows of the end-to-end tests. */
function flows(folder: string): readonly string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("flow.yaml"))
    .map((file) => join(folder, file))
    .filter((file) => readFileSync(join(REPOSITORY, file), "utf8").includes("millrace: v1"));
}

test("the schema accepts all flows of this repository", () => {
  const validate = new Ajv2020({ strict: false }).compile(flowSchema);
  const files = [...flows("examples"), ...flows("e2e-tests/flows/millrace")];
  expect(files.length).toBeGreaterThan(50);
  for (const file of files) {
    expect(validate(parse(readFileSync(join(REPOSITORY, file), "utf8"))), file).toBe(true);
  }
  expect(validate({ millrace: "v1", steps: [{ id: "a", scrpt: "x.py" }] })).toBe(false);
});
