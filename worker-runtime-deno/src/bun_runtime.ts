/** What the runtime uses of Bun, which has the modules of Node.js. */

import type { Stray } from "./job_scope.ts";

/** A program that the script has started. */
export interface Subprocess extends Stray {
  readonly exited: Promise<unknown>;
}

/** The parts of Bun that the runtime uses. */
export interface BunRuntime {
  readonly version: string;
  readonly stdin: { stream(): ReadableStream<Uint8Array> };
  spawn(...args: unknown[]): Subprocess;
  spawnSync(...args: unknown[]): unknown;
  $(...args: unknown[]): unknown;
  plugin(plugin: { name: string; setup(build: PluginBuilder): void }): void;
  resolveSync(specifier: string, from: string): string;
}

interface PluginBuilder {
  module(specifier: string, load: () => { exports: object; loader: "object" }): void;
  onResolve(
    constraints: { filter: RegExp; namespace?: string },
    resolve: (args: { path: string; importer: string }) => { path: string } | undefined,
  ): void;
}

/** A stream that accepts what is written at once. */
export interface NodeWritable {
  write(chunk: string | Uint8Array, ...rest: unknown[]): boolean;
}

/** The parts of Node.js that the runtime uses. They are no imports, as Deno checks this file without their types. */
interface NodeModules {
  "node:fs": {
    openSync(path: string, flags: string): number;
    closeSync(file: number): void;
    writeSync(file: number, bytes: Uint8Array): number;
    mkdirSync(path: string, options: { recursive: boolean }): unknown;
    existsSync(path: string): boolean;
    readFileSync(path: string, encoding: "utf8"): string;
    readdirSync(path: string, options: { recursive: boolean }): string[];
    statSync(path: string): { isFile(): boolean };
    readonly promises: {
      readFile(path: string, encoding: "utf8"): Promise<string>;
      open(path: string, flags: "r" | "wx"): Promise<NodeFile>;
      link(from: string, to: string): Promise<void>;
      rm(path: string, options: { force: boolean }): Promise<void>;
    };
  };
  "node:os": { homedir(): string; userInfo(...args: unknown[]): { readonly homedir: string } };
  "node:util": { inspect(value: unknown): string };
  "node:console": { readonly Console: new (streams: { stdout: NodeWritable; stderr: NodeWritable }) => Console };
  "node:stream": {
    readonly Readable: { from(chunks: readonly unknown[]): object };
    readonly Writable: new (
      options: {
        decodeStrings: boolean;
        write(chunk: string | Uint8Array, encoding: string, done: () => void): void;
      },
    ) => NodeWritable;
  };
}

interface NodeFile {
  read(buffer: Uint8Array): Promise<{ readonly bytesRead: number }>;
  write(bytes: Uint8Array): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

interface NodeProcess {
  readonly argv: string[];
  readonly env: Record<string, string | undefined>;
  exitCode?: number | string | null;
  exit(code?: number | string | null): never;
  cwd(): string;
  chdir(path: string): void;
  readonly stdout: NodeWritable;
  readonly stderr: NodeWritable;
  umask(mask?: number): number;
  on(event: string, listener: (error: unknown) => void): unknown;
  once(event: string, listener: (error: unknown) => void): unknown;
  addListener(event: string, listener: (error: unknown) => void): unknown;
  prependListener(event: string, listener: (error: unknown) => void): unknown;
  prependOnceListener(event: string, listener: (error: unknown) => void): unknown;
  off(event: string, listener: (error: unknown) => void): unknown;
  getBuiltinModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name];
}

interface Globals {
  readonly Bun: BunRuntime;
  readonly process: NodeProcess;
}

export const { Bun, process } = globalThis as unknown as Globals;
