/** Secrets, resources and states, read and written while a job runs. */

import type { Call } from "./lock.ts";

/**
 * Secrets of the workspace. The job has the rights of whoever started its run, at most with the role developer. A value that
 * the job reads or writes is masked from then on in all that it prints and returns.
 */
export interface Secrets {
  /**
   * Returns the value of a secret.
   *
   * @throws {CallFailed} There is no such secret, whoever started the run may not read it, the job has lost its lease, or the
   * scheduler cannot be reached.
   */
  get(path: string): Promise<string>;
  /**
   * Sets a secret, 8 bytes to 64 KiB in UTF-8, and makes it if there is none.
   *
   * @throws {CallFailed} Whoever started the run may not write it, it cannot be a secret, or as for `get`.
   */
  set(path: string, value: string): Promise<void>;
}

/** Resources of the workspace, such as connections. Rights are those of `Secrets`. */
export interface Resources {
  /**
   * Returns a resource, with the values of the secrets to which it refers. Nothing checks that it is a `T`.
   *
   * @example
   * ```ts
   * const db = await ctx.resources.get<{ host: string; password: string }>("shop/db");
   * ```
   *
   * @throws {CallFailed} There is no such resource, or as for `Secrets.get`.
   */
  get<T = unknown>(path: string): Promise<T>;
  /**
   * Writes a resource as it is: `${{` in its texts refers to nothing.
   *
   * @param value Any JSON value of at most 256 KiB.
   * @param type Name of its type; by default the one that it has.
   * @throws {CallFailed} The value does not fit its type or contains a secret that the job has read, or as for `Secrets.set`.
   */
  set(path: string, value: unknown, type?: string): Promise<void>;
}

/**
 * What a step remembers from one run of its flow to the next, or a script from one run to the next. The last of several
 * writes wins.
 */
export interface State {
  /**
   * Returns the value; undefined if there is none. Nothing checks that it is a `T`.
   *
   * @throws {CallFailed} The job has lost its lease, or the scheduler cannot be reached.
   */
  get<T = unknown>(): Promise<T | undefined>;
  /**
   * Writes a value; undefined and null forget it.
   *
   * @param value Any JSON value of at most 256 KiB.
   * @throws {CallFailed} The value contains a secret that the job has read, the workspace has as many states as it may have,
   * or as for `get`.
   */
  set(value: unknown): Promise<void>;
}

/** Returns the secrets that the job may use. */
export function secretsOf(call: Call): Secrets {
  return {
    get: async (path) => await call("secret.get", { path }) as string,
    set: async (path, value) => void await call("secret.set", { path, value }),
  };
}

/** Returns the resources that the job may use. */
export function resourcesOf(call: Call): Resources {
  return {
    get: async <T>(path: string) => await call("resource.get", { path }) as T,
    set: async (path, value, type = "") =>
      void await call("resource.set", { path, value: value ?? null, resource_type: type }),
  };
}

/** Returns a state; that of the job's step if the path is empty. */
export function stateOf(call: Call, path = ""): State {
  return {
    get: async <T>() => (await call("state.get", { path }) as { readonly value: T } | null)?.value,
    set: async (value) => void await call("state.set", { path, value: value ?? null }),
  };
}
