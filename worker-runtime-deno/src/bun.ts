/**
 * Entry of a process of Bun: takes the channels, and runs the jobs with the same loop as Deno.
 *
 * @module
 */

import { Bun, type NodeWritable, process, type Subprocess } from "./bun_runtime.ts";
import { SystemExit } from "./errors.ts";
import { writeFrames } from "./frames.ts";
import { guardListeners, guardTimers } from "./guards.ts";
import { type Host, host, setHost } from "./host.ts";
import type { Reader } from "./inbox.ts";
import { currentScope, type JobScope, noteProgram, runningScope, type Stray } from "./job_scope.ts";
import { onUncaught, run } from "./loop.ts";
import * as millrace from "./mod.ts";
import { Output } from "./output.ts";
import { awaitScript } from "./spare.ts";
import * as windmill from "./windmill_client.ts";

const fs = process.getBuiltinModule("node:fs");
const { inspect } = process.getBuiltinModule("node:util");
const { Console } = process.getBuiltinModule("node:console");
const { Readable, Writable } = process.getBuiltinModule("node:stream");

/** File descriptor to which the host's shell duplicated our original stdout. */
const FRAMES_FD = 3;
const STDERR_FD = 2;

/** First argument of a process that waits for its script. */
const SPARE = "--spare";

const EXIT_OK = 0;
const EXIT_USAGE = 2;

const WINDMILL_FILE = decodeURIComponent(new URL("./windmill_client.ts", import.meta.url).pathname);

/** Taken before user code can replace them. */
const exit: (code: number) => never = process.exit.bind(process);
const chdir = process.chdir.bind(process);
const cwd = process.cwd.bind(process);

function keepEnvironment(): () => void {
  const kept = { ...process.env };
  const names = new Set(Object.keys(kept));
  return () => {
    for (const name of Object.keys(process.env)) if (!names.has(name)) delete process.env[name];
    for (const name of names) if (process.env[name] !== kept[name]) process.env[name] = kept[name];
  };
}

const bunHost: Host = {
  runtime: `bun ${Bun.version}`,
  cwd,
  chdir,
  makeFolder: (path) => void fs.mkdirSync(path, { recursive: true }),
  variable: (name) => process.env[name],
  setVariable: (name, value) => void (process.env[name] = value),
  removeVariable: (name) => void delete process.env[name],
  readText: (path) => fs.promises.readFile(path, "utf8"),
  filesBelow: (folder) =>
    fs.readdirSync(folder, { recursive: true }).map((file) => `${folder}/${file}`)
      .filter((file) => fs.statSync(file).isFile()),
  disk: {
    temporaryFolder: () => process.env["TMPDIR"] ?? "/tmp",
    open: async (path, way) => {
      const file = await fs.promises.open(path, way === "read" ? "r" : "wx");
      return {
        read: async (buffer) => (await file.read(buffer)).bytesRead,
        write: async (bytes) => (await file.write(bytes)).bytesWritten,
        close: () => file.close(),
      };
    },
    link: (from, to) => fs.promises.link(from, to),
    remove: (path) => fs.promises.rm(path, { force: true }),
  },
  writeRaw: (text) => writeFrames({ writeSync: (bytes) => fs.writeSync(STDERR_FD, bytes) }, text),
  show: (value) => inspect(value),
  keepState: () => {
    const { exitCode, argv } = process;
    const args = [...argv];
    const umask = process.umask();
    return [
      keepEnvironment(),
      (): void => void process.umask(umask),
      (): void => void (process.exitCode = exitCode ?? 0),
      (): void => void argv.splice(0, argv.length, ...args),
    ];
  },
  exit: (code) => exit(code),
  inStacks: (address) => decodeURIComponent(new URL(address).pathname),
};

/** Opens the frames channel anew, as programs that the script starts would inherit the descriptor of the shell. */
function openFrames(): Output {
  const file = fs.openSync(`/dev/fd/${FRAMES_FD}`, "a");
  fs.closeSync(FRAMES_FD);
  return new Output({ writeSync: (bytes) => fs.writeSync(file, bytes) });
}

/** Takes stdin, and shows user code an empty one. */
function takeStdin(): Reader {
  const chunks = Bun.stdin.stream().getReader();
  let left = new Uint8Array(0);
  Object.defineProperty(process, "stdin", { get: () => Readable.from([]), configurable: true });
  return {
    read: async (buffer) => {
      while (left.length === 0) {
        // deno-lint-ignore no-await-in-loop -- each read needs the one before it
        const { done, value } = await chunks.read();
        if (done) return null;
        left = new Uint8Array(value);
      }
      const length = Math.min(left.length, buffer.length);
      buffer.set(left.subarray(0, length));
      left = left.subarray(length);
      return length;
    },
  };
}

/** Turns what user code prints into frames. */
function captureOutput(output: Output): void {
  const capture = (stream: "stdout" | "stderr"): NodeWritable => {
    const decoder = new TextDecoder();
    const write = (chunk: string | Uint8Array): void =>
      output.print(stream, typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
    process[stream].write = (chunk, ...rest): boolean => {
      write(chunk);
      const done = rest.at(-1);
      if (typeof done === "function") queueMicrotask(() => done());
      return true;
    };
    return new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        write(chunk);
        done();
      },
    });
  };
  globalThis.console = new Console({ stdout: capture("stdout"), stderr: capture("stderr") });
}

/** Replaces functions with which a script could end, block or outlive the process that it shares with other jobs. */
function installGuards(onError: (error: unknown, scope: JobScope | undefined) => void): void {
  const guarded = (code?: number | string | null): never => {
    const thrown = new SystemExit(Number(code ?? process.exitCode ?? 0), "process.exit");
    process.exitCode = 0;
    currentScope()?.fail(thrown);
    throw thrown;
  };
  process.exit = guarded;
  guardTimers(onError);
  guardListeners();
  guardProcessListeners();
  guardPrograms();
  // Bun does not tell the job in which a promise was rejected.
  process.on("unhandledRejection", (reason) => onError(reason, currentScope() ?? runningScope()));
  process.on("uncaughtException", (error) => onError(error, currentScope() ?? runningScope()));
  // Without a listener the signal would end the process; the host cancels by a message.
  process.on("SIGTERM", () => {});
}

/** Ends listeners of the process with the job that added them. */
function guardProcessListeners(): void {
  for (const name of ["on", "once", "addListener", "prependListener", "prependOnceListener"] as const) {
    const add = process[name];
    process[name] = (event, listener): unknown => {
      const added: unknown = Reflect.apply(add, process, [event, listener]);
      currentScope()?.listeners.push(() => process.off(event, listener));
      return added;
    };
  }
}

/** Ends programs with the job that started them; those of `node:child_process` are started by the same function. */
function guardPrograms(): void {
  const note = (stray: Stray, ended: (forget: () => void) => unknown): void => {
    const scope = currentScope();
    scope?.processes.set(stray, "a program");
    ended(() => void scope?.processes.delete(stray));
  };
  const { spawn, spawnSync, $ } = Bun;
  Bun.spawn = (...args): Subprocess => {
    noteProgram();
    const started = Reflect.apply(spawn, Bun, args);
    note(started, (forget) => started.exited.then(forget, forget));
    return started;
  };
  Bun.spawnSync = (...args): unknown => {
    noteProgram();
    return Reflect.apply(spawnSync, Bun, args);
  };
  Bun.$ = new Proxy($, {
    apply: (shell, receiver, args): unknown => {
      noteProgram();
      return Reflect.apply(shell, receiver, args);
    },
  });
}

/** What scripts of Windmill call its client, with a registry, a version or both. */
const WINDMILL =
  /["']((?:npm:|jsr:@windmill[\w-]*\/)?windmill-client@[\w.^~<>=*+-]+|https:\/\/deno\.land\/x\/windmill(?:@[\w.-]+)?\/mod\.ts)["']/g;
/** The same behind a registry, which Bun hands to plug-ins. */
const WINDMILL_BEHIND_REGISTRY = /^\/?(?:@windmill[\w-]*\/)?windmill-client(?:@|$)/;

/** The names of Windmill's client, of those that Bun would look for in folders of packages, in the files of a version. */
function windmillNames(path: string, tree: string | undefined): ReadonlySet<string> {
  const files = tree === undefined
    ? [path]
    : fs.readdirSync(tree, { recursive: true }).map((file) => `${tree}/${file}`);
  const texts = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file)).map((file) => fs.readFileSync(file, "utf8"));
  return new Set(texts.flatMap((text) => [...text.matchAll(WINDMILL)].flatMap(([, name]) => name ?? [])));
}

/**
 * Lets scripts import the runtime's modules by name, packages also behind `npm:`, and files of their version by paths that
 * begin with a slash. Bun itself finds the packages of the version in the folder of the variable `NODE_PATH`.
 */
function nameModules(path: string): void {
  const tree = process.env["MILLRACE_FILES"];
  Bun.plugin({
    name: "millrace",
    setup: (build) => {
      build.module("millrace", () => ({ exports: millrace, loader: "object" }));
      for (const name of ["windmill-client", ...windmillNames(path, tree)]) {
        build.module(name, () => ({ exports: windmill, loader: "object" }));
      }
      build.onResolve({ filter: WINDMILL_BEHIND_REGISTRY, namespace: "jsr" }, () => ({ path: WINDMILL_FILE }));
      build.onResolve({ filter: /./, namespace: "npm" }, ({ path, importer }) => ({
        path: WINDMILL_BEHIND_REGISTRY.test(path) ? WINDMILL_FILE : Bun.resolveSync(path, importer),
      }));
      if (tree === undefined) return;
      build.onResolve({ filter: /^\// }, ({ path }) => {
        const inTree = tree + path;
        return fs.existsSync(inTree) ? { path: inTree } : undefined;
      });
    },
  });
}

async function start(first: string | undefined): Promise<never> {
  if (first === undefined) {
    console.error(`usage: bun run … bun.ts SCRIPT_PATH | ${SPARE} 3>&1 1>&2`);
    return exit(EXIT_USAGE);
  }
  const output = openFrames();
  const reader = takeStdin();
  captureOutput(output);
  installGuards(onUncaught(output));
  if (first === SPARE) {
    const { takeIdentity } = await import("./bun_spare.ts");
    const assignment = await awaitScript(reader);
    if (assignment !== undefined) {
      takeIdentity(assignment.script);
      await runScript(assignment.script.path, assignment.reader, output);
    }
  } else {
    await runScript(first, reader, output);
  }
  return host().exit(EXIT_OK);
}

async function runScript(path: string, reader: Reader, output: Output): Promise<void> {
  nameModules(path);
  await run(path, reader, output);
}

setHost(bunHost);
await start(process.argv[2]);
