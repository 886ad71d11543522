/** Reads the contexts of the command line: named servers with a workspace, a token and an authority. */

import { readFileSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { parse } from "yaml";
import { AccessError } from "./errors.ts";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Rights of all but the owner of a file. */
const OTHERS = 0o077;

/** A server with what its caller needs there. */
export interface AccessContext {
  /** Address of the gateway, such as `https://millrace.example`. */
  readonly server: string;
  /** Workspace of calls that name none; empty for the server's choice. */
  readonly workspace: string;
  /** Secret token; empty for none. */
  readonly token: string;
  /** PEM file with the authority of the server's certificate; empty for those that the machine trusts. */
  readonly caFile: string;
}

/** All contexts of a person. */
export class Contexts {
  /** Name of the context that counts if nothing else is named; empty for none. */
  readonly current: string;
  readonly #byName: ReadonlyMap<string, AccessContext>;

  constructor(current = "", byName: ReadonlyMap<string, AccessContext> = new Map()) {
    this.current = current;
    this.#byName = byName;
  }

  /** Returns the context with this name; throws an `AccessError` if there is none. */
  require(name: string): AccessContext {
    const context = this.#byName.get(name);
    if (context !== undefined) return context;
    const names = [...this.#byName.keys()].sort();
    const known = names.length > 0 ? `There are: ${names.join(", ")}.` : "There are none yet.";
    throw new AccessError(
      `There is no context '${name}'. ${known} Make one with: ./millrace contexts set ${name} --server URL`,
    );
  }
}

/** Reads the contexts of the user; none if there is no file. Throws an `AccessError` if the file cannot be used. */
export function readContexts(environment: Environment): Contexts {
  const path = contextsFile(environment);
  const text = path === undefined ? undefined : readPrivate(path);
  if (path === undefined || text === undefined) return new Contexts();
  let root: unknown;
  try {
    root = parse(text);
  } catch (error) {
    throw invalid(path, String(error));
  }
  return root === null ? new Contexts() : contextsOf(path, root);
}

/** Returns the path of the file with the contexts; undefined if the variables name no folder of the user. */
function contextsFile(environment: Environment): string | undefined {
  for (const [variable, below] of [["XDG_CONFIG_HOME", ""], ["HOME", ".config"]] as const) {
    const folder = environment[variable] ?? "";
    // Relative folders count as absent, as the XDG specification wants it.
    if (isAbsolute(folder)) return join(folder, below, "millrace", "contexts.yaml");
  }
  return undefined;
}

function readPrivate(path: string): string | undefined {
  try {
    const status = statSync(path, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (process.platform !== "win32" && (status.mode & OTHERS) !== 0) {
      throw new AccessError(
        `The file ${path} holds tokens, but other users may read or write it. Run: chmod 600 ${path}`,
      );
    }
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof AccessError) throw error;
    throw new AccessError(`The file ${path} with your contexts cannot be read: ${String(error)}.`);
  }
}

function contextsOf(path: string, root: unknown): Contexts {
  const members = membersOf(path, root, "the file");
  const named = membersOf(path, members["contexts"] ?? {}, "`contexts`");
  const byName = new Map<string, AccessContext>();
  for (const [name, value] of Object.entries(named)) {
    const context = membersOf(path, value, `the context '${name}'`);
    const server = textOf(context["server"]);
    if (server === "") throw invalid(path, `the context '${name}' has no server`);
    byName.set(name, {
      server,
      workspace: textOf(context["workspace"]),
      token: textOf(context["token"]),
      caFile: textOf(context["ca_file"]),
    });
  }
  return new Contexts(textOf(members["current"]), byName);
}

function membersOf(path: string, value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(path, `${what} is no mapping of keys to values`);
  }
  return value as Record<string, unknown>;
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function invalid(path: string, clause: string): AccessError {
  return new AccessError(
    `The file ${path} holds no valid contexts: ${clause}. Correct it, or delete it and log in again.`,
  );
}
