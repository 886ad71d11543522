import { CallFailed } from "../errors.ts";
import type { JobHost } from "../job_context.ts";
import { encodeValue } from "../results.ts";
import { MemoryBlobs } from "./memory_blobs.ts";

/** Answers a call of the worker; receives its arguments. */
export type Answer = (args: Record<string, unknown>) => unknown;

/** Returns what others would read of a value. Throws a `ResultError` if it cannot be written as JSON. */
export function asJson(value: unknown, what: string): unknown {
  return JSON.parse(encodeValue(value, what));
}

/** The host of a fake job: keeps what the job sends, and answers its calls from memory. */
export class FakeHost implements JobHost {
  readonly workspace: string;
  readonly data = new Map<string, unknown>();
  readonly blobs = new MemoryBlobs();
  readonly heldByOthers = new Set<string>();
  readonly held: string[] = [];
  readonly locked: string[] = [];
  readonly shown: unknown[] = [];
  readonly traces: string[] = [];
  readonly lines: (readonly [stream: string, line: string])[] = [];
  readonly calls: (readonly [method: string, args: unknown])[] = [];
  readonly answers = new Map<string, Answer>([
    ["data.get", ({ key }) => this.data.has(String(key)) ? { value: this.data.get(String(key)) } : null],
    ["data.set", ({ key, value }) => void this.data.set(String(key), value)],
    ["lock.acquire", ({ name }) => this.#acquire(String(name))],
    ["lock.release", ({ name }) => this.#release(String(name))],
  ]);

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  readonly call = async (method: string, args: Record<string, unknown>): Promise<unknown> => {
    const given = asJson(args, "arguments") as Record<string, unknown>;
    this.calls.push([method, given]);
    const answer = this.answers.get(method);
    if (answer === undefined) {
      throw new CallFailed(
        `The code asks its worker for "${method}", and the test has no answer: give one with` +
          ` job.answer("${method}", (args) => …).`,
      );
    }
    return asJson(await answer(given), "answer");
  };

  print(stream: "stdout" | "stderr", line: string): void {
    this.lines.push([stream, line.replace(/\n$/, "")]);
  }

  progress(value: unknown): void {
    this.shown.push(asJson(value, "progress"));
  }

  trace(text: string): void {
    this.traces.push(text);
  }

  #acquire(name: string): unknown {
    if (this.heldByOthers.has(name)) return null;
    this.held.push(name);
    this.locked.push(name);
    return { fence: this.locked.length };
  }

  #release(name: string): boolean {
    const index = this.held.indexOf(name);
    if (index >= 0) this.held.splice(index, 1);
    return index >= 0;
  }
}
