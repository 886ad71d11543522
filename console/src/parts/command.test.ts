import { expect, test } from "vitest";
import { inputOptions, inputTextOptions, millraceCommand, shellWord, workerCommand } from "#/parts/command.ts";

test.each([
  ["hello.py", "hello.py"],
  ["", "''"],
  ["it's", `'it'\\''s'`],
  ["$(rm -rf /)", "'$(rm -rf /)'"],
])("writes %j for a shell", (word, written) => {
  expect(shellWord(word)).toBe(written);
});

test("names the workspace unless it is the default one", () => {
  const server = "http://localhost:8400/";
  expect(millraceCommand({ server, workspace: "default" }, "runs", "cancel", "1")).toBe("./millrace runs cancel 1");
  expect(millraceCommand({ server, workspace: "team-a" }, "runs", "cancel", "1")).toBe(
    "./millrace runs cancel 1 --workspace team-a",
  );
});

test.each([
  ["http://localhost:8400/", "./millrace runs list"],
  ["http://127.0.0.1:8400/", "./millrace runs list"],
  ["http://localhost:8220/", "./millrace runs list --server http://localhost:8220"],
  ["http://localhost:8400/millrace/", "./millrace runs list --server http://localhost:8400/millrace"],
  ["https://jobs.example.org/", "./millrace runs list --server https://jobs.example.org"],
])("names the server %s unless the program calls it anyway", (server, command) => {
  expect(millraceCommand({ server, workspace: "default" }, "runs", "list")).toBe(command);
});

test.each([
  ["http://localhost:8400/", false, "./millrace worker"],
  ["https://jobs.example.org/millrace/", false, "./millrace worker --scheduler jobs.example.org:8401"],
  ["http://127.0.0.1:9000/", true, "./millrace worker --token-file worker.token"],
])("starts a worker for the scheduler behind %s", (server, needsToken, command) => {
  expect(workerCommand(server, needsToken)).toBe(command);
});

test("gives each field of an input, and keeps texts apart from numbers", () => {
  expect(inputOptions({ name: "Ada", count: 3, code: "3", tags: ["a"] })).toEqual([
    "-i",
    "name=Ada",
    "-i",
    "count=3",
    "-i",
    'code="3"',
    "-i",
    'tags=["a"]',
  ]);
  expect(inputTextOptions("{")).toEqual([]);
});
