import { expect, test } from "vitest";
import { draftOf, readDraft, toggled } from "#/pages/definitions/input_draft.ts";

const schema = { type: "object", properties: { n: { type: "integer" } } };

test("begins with a form if the schema makes one", () => {
  expect(draftOf(schema, { n: 1 })).toEqual({ input: { n: 1 }, text: undefined });
  expect(draftOf(undefined, { n: 1 }).text).toBe('{\n  "n": 1\n}');
  expect(draftOf({}, {}).text).toBe("{}");
});

test("keeps the input between form and JSON", () => {
  const json = toggled({ input: { n: 1 }, text: undefined });
  expect(json).toMatchObject({ text: '{\n  "n": 1\n}' });
  expect(toggled({ input: {}, text: '{"n": 2}' })).toEqual({ input: { n: 2 }, text: undefined });
});

test.each([
  ["", {}],
  ['{"n": 3}', { n: 3 }],
])("reads %j", (text, input) => {
  expect(readDraft({ input: { old: true }, text })).toEqual(input);
});

test.each(["[1]", "null", "{", "1"])("says why %j is no input", (text) => {
  expect(typeof readDraft({ input: {}, text })).toBe("string");
  expect(typeof toggled({ input: {}, text })).toBe("string");
});
