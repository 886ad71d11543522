/**
 * What scripts of Windmill import as `windmill-client`, so that they run unchanged: a thin layer over `current`. Paths of
 * variables and resources are those of Windmill; a variable is a secret. What is not here raises an error that names it.
 *
 * @module
 */

import { current } from "./current.ts";

const VARIABLE = /^\$var:/;
const RESOURCE = /^\$res:/;

/** Windmill's own functions return `any`, and scripts that use them are checked when they are deployed. */
// deno-lint-ignore no-explicit-any
type Anything = any;
type Missing = (...args: unknown[]) => Promise<Anything>;

/** Returns the value of the secret with this path. */
export function getVariable(path: string): Promise<string> {
  return current().secrets.get(path.replace(VARIABLE, ""));
}

/** Sets the secret with this path. Every variable is a secret here. */
export function setVariable(path: string, value: string): Promise<void> {
  return current().secrets.set(path.replace(VARIABLE, ""), value);
}

/** Returns a resource, with the values of the secrets to which it refers. */
export function getResource<T = Anything>(path: string): Promise<T> {
  return current().resources.get<T>(path.replace(RESOURCE, ""));
}

/** Writes a resource. Without a type, it keeps the one that it has. */
export function setResource(value: unknown, path: string, type?: string): Promise<void> {
  return current().resources.set(path.replace(RESOURCE, ""), value, type === "any" ? "" : type);
}

/** Returns what the script has remembered; undefined if nothing. */
export function getState<T = Anything>(): Promise<T | undefined> {
  return current().state.get<T>();
}

/** Remembers a value for later runs; null forgets it. */
export function setState(value: unknown): Promise<void> {
  return current().state.set(value);
}

/** The same as `getState`. */
export const getInternalState = getState;

/** The same as `setState`. */
export const setInternalState = setState;

/** Returns what a step of this run has kept under a key; undefined if nothing. */
export function getFlowUserState(key: string): Promise<Anything> {
  return current().data.get(key);
}

/** Keeps a value for the steps of this run. */
export function setFlowUserState(key: string, value: unknown): Promise<void> {
  return current().data.set(key, value);
}

/** Returns the workspace of the job. */
export function getWorkspace(): string {
  return current().workspace;
}

/** Tells how far the job is, in percent. */
export function setProgress(percent: number): Promise<void> {
  current().progress(percent / 100);
  return Promise.resolve();
}

export const databaseUrlFromResource: Missing = missing("databaseUrlFromResource");
export const denoS3LightClientSettings: Missing = missing("denoS3LightClientSettings");
export const getResult: Missing = missing("getResult");
export const getResultMaybe: Missing = missing("getResultMaybe");
export const getResumeUrls: Missing = missing("getResumeUrls");
export const getRootJobId: Missing = missing("getRootJobId");
export const loadS3File: Missing = missing("loadS3File");
export const loadS3FileStream: Missing = missing("loadS3FileStream");
export const runFlow: Missing = missing("runFlow");
export const runFlowAsync: Missing = missing("runFlowAsync");
export const runScript: Missing = missing("runScript");
export const runScriptAsync: Missing = missing("runScriptAsync");
export const runScriptByHash: Missing = missing("runScriptByHash");
export const runScriptByPath: Missing = missing("runScriptByPath");
export const signS3Object: Missing = missing("signS3Object");
export const waitJob: Missing = missing("waitJob");
export const writeS3File: Missing = missing("writeS3File");

/** A function that raises an error, so that importing a missing name fails only where it is used. */
function missing(name: string): Missing {
  return () => {
    throw new Error(
      `windmill-client: ${name} does not work in Millrace. docs/how-to/run-windmill-scripts.md lists what does, and what to` +
        " use instead.",
    );
  };
}
