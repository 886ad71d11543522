/** Plays the host: starts the runtime as a real process and speaks the process protocol with it. */

import { assertEquals } from "./asserts.ts";

/** A frame from the process. */
export type Frame = Record<string, unknown>;

const RUNTIME = new URL("..", import.meta.url).pathname;
const PATIENCE_MILLIS = 60_000;

/** A runtime process with one script; disposing of it ends the process. */
export class RuntimeProcess implements AsyncDisposable {
  readonly folder: string;
  /** Calls with which the process has brought the output of programs to its job. */
  readonly programCalls: Frame[] = [];
  /** How many descendants of programs the next job has left behind. */
  descendants = 0;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #frames: ReadableStreamDefaultReader<string>;
  readonly #stderr: Promise<string>;
  #jobs = 0;

  /**
   * Starts a process with the script's source.
   *
   * @param permissions granted in addition to those of every script
   * @param files further files of the version, by their paths in the folder of the script
   */
  constructor(source: string, permissions: readonly string[] = [], files: Readonly<Record<string, string>> = {}) {
    this.folder = Deno.makeTempDirSync();
    const script = `${this.folder}/script.ts`;
    for (const [path, text] of Object.entries({ "script.ts": source, ...files })) {
      Deno.mkdirSync(`${this.folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${this.folder}/${path}`, text);
    }
    this.#child = new Deno.Command("setsid", {
      args: [
        "sh",
        "-c",
        'exec "$@" 3>&1 1>&2',
        "sh",
        Deno.execPath(),
        "run",
        ...flags(this.folder, permissions),
        script,
      ],
      cwd: this.folder,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: this.folder,
        TMPDIR: this.folder,
        DENO_DIR: `${this.folder}/deno`,
        NO_COLOR: "1",
        ...(Object.keys(files).length > 0 ? { MILLRACE_FILES: this.folder } : {}),
      },
    }).spawn();
    this.#stdin = this.#child.stdin.getWriter();
    this.#frames = this.#child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(lines()).getReader();
    this.#stderr = new Response(this.#child.stderr).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch { /* It has ended. */ }
    await this.#child.status;
    await this.#stdin.abort().catch(() => {});
    await this.#frames.cancel();
    await this.#stderr;
    await Deno.remove(this.folder, { recursive: true });
  }

  async send(...messages: readonly Frame[]): Promise<void> {
    const text = messages.map((message) => JSON.stringify(message) + "\n").join("");
    await this.#stdin.write(new TextEncoder().encode(text));
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Runs one job and returns its frames; the last one ends it. */
  async run(input: unknown = {}, overrides: Frame = {}): Promise<Frame[]> {
    const id = `job-${++this.#jobs}`;
    await this.send(job(id, input, overrides));
    return await this.framesUntilEnd(id);
  }

  /** Runs one job, which must succeed, and returns its result. */
  async result(input: unknown = {}, overrides: Frame = {}): Promise<unknown> {
    const last = (await this.run(input, overrides)).at(-1);
    assertEquals(last?.["type"] === "result" ? "result" : last, "result");
    return last?.["result"];
  }

  /** Runs one job, which must fail, and returns the error frame. */
  async error(input: unknown = {}): Promise<Frame> {
    const last = (await this.run(input)).at(-1) ?? {};
    assertEquals(last["type"] === "error" ? "error" : last, "error");
    return last;
  }

  async framesUntilEnd(id: string): Promise<Frame[]> {
    const frames = await this.framesUntil("result", "error", "load_error");
    assertEquals(frames.at(-1)?.["id"], id);
    return frames;
  }

  /** Returns all frames up to the first of one of the types; `ready` is omitted unless it is one of them. */
  async framesUntil(...types: readonly string[]): Promise<Frame[]> {
    const frames: Frame[] = [];
    for (;;) {
      // deno-lint-ignore no-await-in-loop -- frames come one after another
      const frame = await this.nextFrame();
      const type = String(frame["type"]);
      if (type !== "ready" || types.includes(type)) frames.push(frame);
      if (types.includes(type)) return frames;
    }
  }

  /** Returns the next frame that tests wait for; answers the calls that end programs. */
  async nextFrame(): Promise<Frame> {
    for (;;) {
      // deno-lint-ignore no-await-in-loop -- frames come one after another
      const frame = await this.#readFrame();
      const { type, id, call, method } = frame;
      if (type !== "call" || (method !== "programs.stop" && method !== "output.flush")) return frame;
      this.programCalls.push(frame);
      // deno-lint-ignore no-await-in-loop -- the process waits for the answer
      await this.send({ type: "answer", id, call, value: method === "programs.stop" ? this.descendants : null });
    }
  }

  async #readFrame(): Promise<Frame> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`No frame came within ${PATIENCE_MILLIS} ms.`)), PATIENCE_MILLIS);
    try {
      const { value } = await Promise.race([this.#frames.read(), promise]);
      if (value === undefined) throw new Error(`The process ended: ${await this.#stderr}`);
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }

  async closeStdin(): Promise<void> {
    await this.#stdin.close();
  }

  async exitCode(): Promise<number> {
    return (await this.#child.status).code;
  }

  stderrText(): Promise<string> {
    return this.#stderr;
  }
}

/** A job message. */
export function job(id: string, input: unknown = {}, overrides: Frame = {}): Frame {
  const head = { type: "job", id, attempt: 1, run_id: "run-1", step: "", deadline_ms: 300_000, traceparent: "" };
  return { ...head, ...overrides, input };
}

/** An answer to a call. */
export function answer(call: Frame, members: Frame): Frame {
  return { type: "answer", id: call["id"], call: call["call"], ...members };
}

/** A request to stop a job. */
export function cancel(id: string): Frame {
  return { type: "cancel", id };
}

/** Returns all text that a job has printed to one stream. */
export function printed(frames: readonly Frame[], stream = "stdout"): string {
  return frames.filter((frame) => frame["type"] === "log" && frame["stream"] === stream)
    .map((frame) => String(frame["text"])).join("");
}

function flags(folder: string, permissions: readonly string[]): string[] {
  return [
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    `--import-map=${RUNTIME}import_map.json`,
    "--allow-env",
    "--allow-net",
    "--allow-sys",
    `--allow-read=${folder},${RUNTIME}`,
    `--allow-write=/dev/fd/3,${folder}`,
    ...permissions,
    `${RUNTIME}process.ts`,
  ];
}

function lines(): TransformStream<string, string> {
  let partial = "";
  return new TransformStream({
    transform(chunk, controller): void {
      const complete = (partial + chunk).split("\n");
      partial = complete.pop() ?? "";
      for (const line of complete) controller.enqueue(line);
    },
  });
}
