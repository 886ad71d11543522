/**
 * What scripts of Windmill import as `windmill-client`, so that they run unchanged: a thin layer over `current`. Paths of
 * variables and resources are those of Windmill. A variable is a secret, or a resource that is a text. What is not here raises
 * an error that names it.
 *
 * @module
 */

import type { BlobReference } from "./blobs.ts";
import { current } from "./current.ts";

const VARIABLE = /^\$var:/;
/** Begin of the keys of run data that lead to files. */
const S3 = "s3:";
const RESOURCE = /^\$res:/;

/** Windmill's own functions return `any`, and scripts that use them are checked when they are deployed. */
// deno-lint-ignore no-explicit-any
type Anything = any;
type Missing = (...args: unknown[]) => Promise<Anything>;

/** Returns the value of the secret with this path; if there is none, the resource, which must be a text. */
export async function getVariable(path: string): Promise<string> {
  const name = path.replace(VARIABLE, "");
  try {
    return await current().secrets.get(name);
  } catch (missing) {
    const value: unknown = await current().resources.get(name).catch(() => undefined);
    if (typeof value !== "string") throw missing;
    return value;
  }
}

/** Sets the secret with this path. If there is none, and `isSecret` does not ask for one, it writes a resource. */
export async function setVariable(path: string, value: string, isSecret = false): Promise<void> {
  const name = path.replace(VARIABLE, "");
  if (isSecret || await current().secrets.get(name).then(() => true, () => false)) {
    await current().secrets.set(name, value);
  } else {
    await current().resources.set(name, value);
  }
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

/** Returns the id of the run. Other jobs than the running one cannot be asked for. */
export function getRootJobId(jobId?: string): Promise<string> {
  if (jobId !== undefined && jobId !== current().jobId) return missing("getRootJobId of another job")();
  return Promise.resolve(current().runId);
}

type Args = Readonly<Record<string, unknown>> | null;

/** Runs a script, waits for its end and returns its result. Hashes are those of Millrace. */
export async function runScript(
  path: string | null = null,
  hash: string | null = null,
  args: Args = null,
  _verbose = false,
  tag: string | null = null,
): Promise<Anything> {
  return await waitJob(await runScriptAsync(path, hash, args, null, tag));
}

/** Runs a script, waits for its end and returns its result. */
export function runScriptByPath(
  path: string,
  args: Args = null,
  verbose = false,
  tag: string | null = null,
): Promise<Anything> {
  return runScript(path, null, args, verbose, tag);
}

/** Runs a version of a script, waits for its end and returns its result. */
export function runScriptByHash(
  hash: string,
  args: Args = null,
  verbose = false,
  tag: string | null = null,
): Promise<Anything> {
  return runScript(null, hash, args, verbose, tag);
}

/** Runs a flow, waits for its end and returns its result. */
export async function runFlow(path: string | null = null, args: Args = null): Promise<Anything> {
  return await waitJob(await runFlowAsync(path, args));
}

/** Starts a run of a script, and returns its id. */
export function runScriptAsync(
  path: string | null,
  hash: string | null,
  args: Args,
  scheduledInSeconds: number | null = null,
  tag: string | null = null,
): Promise<string> {
  if (!path === !hash) return Promise.reject(new Error("name either a path or a hash"));
  const script = { script: path ?? hash ?? "", isHash: Boolean(hash), input: args ?? {}, tag: tag ?? "" };
  return current().runs.start({ ...script, ...later(scheduledInSeconds) });
}

/** Starts a run of a script, and returns its id. */
export function runScriptByPathAsync(
  path: string,
  args: Args = null,
  scheduledInSeconds: number | null = null,
  tag: string | null = null,
): Promise<string> {
  return runScriptAsync(path, null, args, scheduledInSeconds, tag);
}

/** Starts a run of a version of a script, and returns its id. */
export function runScriptByHashAsync(
  hash: string,
  args: Args = null,
  scheduledInSeconds: number | null = null,
  tag: string | null = null,
): Promise<string> {
  return runScriptAsync(null, hash, args, scheduledInSeconds, tag);
}

/** Starts a run of a flow, and returns its id. */
export function runFlowAsync(
  path: string | null,
  args: Args,
  scheduledInSeconds: number | null = null,
): Promise<string> {
  return current().runs.start({ flow: path ?? "", input: args ?? {}, ...later(scheduledInSeconds) });
}

function later(seconds: number | null): { readonly runAfter?: Date } {
  return seconds === null ? {} : { runAfter: new Date(Date.now() + seconds * 1000) };
}

/** Waits for the end of a run and returns its result. */
export function waitJob(jobId: string): Promise<Anything> {
  return current().runs.result(jobId);
}

/** Returns the result of a run that has ended; fails if it has not. */
export async function getResult(jobId: string): Promise<Anything> {
  const found = await current().runs.get(jobId);
  if (found.state !== "succeeded") throw new Error(`run ${jobId} has no result: ${found.state}`);
  return found.output;
}

/** Returns the result of a run, if it has ended; else undefined. */
export async function getResultMaybe(jobId: string): Promise<Anything> {
  return (await current().runs.get(jobId)).output;
}

/** Cancels a run, and returns its id. */
export async function cancelJob(jobId: string, reason = ""): Promise<string> {
  await current().runs.cancel(jobId, reason);
  return jobId;
}

interface ResumeUrls {
  readonly approvalPage: string;
  readonly resume: string;
  readonly cancel: string;
}

/**
 * Returns addresses that resume or cancel the flow at the `suspend` of this step. They are paths on the server, and take a
 * POST; a GET only shows what they are for. Without an approver, they are for whoever started the run.
 */
export function getResumeUrls(approver?: string, flowLevel = false): Promise<ResumeUrls> {
  const { step } = current();
  if (flowLevel || step === "") return missing("getResumeUrls for a whole flow")();
  return getApprovalUrls(step, approver);
}

/** The same as `getResumeUrls`. */
export const getResumeEndpoints = (approver?: string): Promise<ResumeUrls> => getResumeUrls(approver);

/** Returns addresses that resume or cancel the flow at the `suspend` of a step. */
export async function getApprovalUrls(stepKey = "approval", approver?: string): Promise<ResumeUrls> {
  const people = approver === undefined || approver === "" ? [] : [approver];
  const [link] = await current().runs.waitLinks(`${stepKey}_suspend`, people);
  if (link === undefined) throw new Error("the scheduler has signed no link");
  return { approvalPage: link.acceptPath, resume: link.acceptPath, cancel: link.denyPath };
}

/** Tells how far the job is, in percent. */
export function setProgress(percent: number): Promise<void> {
  current().progress(percent / 100);
  return Promise.resolve();
}

/** A file under a key. Here it is a blob of the run; what `writeS3File` returns has the reference to it as well. */
export type S3Object = string | { readonly s3: string; readonly storage?: string; readonly presigned?: string };

/**
 * Saves a file under a key, by which the steps of this run find it. Without a key, it gets one.
 *
 * @param content A text, bytes, or a web `Blob`.
 */
export async function writeS3File(
  s3object: S3Object | undefined,
  content: string | Blob | Uint8Array,
  s3ResourcePath?: string,
  contentType?: string,
  _contentDisposition?: string,
): Promise<Anything> {
  if (s3ResourcePath) return missing("writeS3File with a resource")();
  const { blobs, data } = current();
  const source = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const reference = await blobs.put(source, contentType === undefined ? {} : { mediaType: contentType });
  const key = s3object === undefined ? `blob/${reference.$blob}` : keyOf(s3object);
  await data.set(S3 + key, reference);
  return { s3: key, ...reference };
}

/** Returns the bytes of a file that a step of this run has written, or whose object has the reference to its blob. */
export async function loadS3File(s3object: S3Object, s3ResourcePath?: string): Promise<Uint8Array | undefined> {
  return await new Response(await streamOf(s3object, "loadS3File", s3ResourcePath)).bytes();
}

/** Returns a file as a web `Blob`, which is in memory. */
export async function loadS3FileStream(s3object: S3Object, s3ResourcePath?: string): Promise<Blob | undefined> {
  return await new Response(await streamOf(s3object, "loadS3FileStream", s3ResourcePath)).blob();
}

async function streamOf(
  s3object: S3Object,
  caller: string,
  s3ResourcePath: string | undefined,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  if (s3ResourcePath) await missing(`${caller} with a resource`)();
  const { blobs, data } = current();
  const own = typeof s3object === "object" && "$blob" in s3object ? s3object : undefined;
  const reference = own ?? await data.get(S3 + keyOf(s3object));
  if (reference === undefined) throw new Error(`no step of this run has written the file ${keyOf(s3object)}`);
  return await blobs.open(reference as BlobReference) as ReadableStream<Uint8Array<ArrayBuffer>>;
}

function keyOf(s3object: S3Object): string {
  const key = typeof s3object === "string" ? s3object : s3object.s3;
  return key.replace(/^s3:\/\//, "").replace(/^\/+/, "");
}

export const databaseUrlFromResource: Missing = missing("databaseUrlFromResource");
export const denoS3LightClientSettings: Missing = missing("denoS3LightClientSettings");
export const signS3Object: Missing = missing("signS3Object");
export const getProgress: Missing = missing("getProgress");
export const getIdToken: Missing = missing("getIdToken");
export const deleteS3File: Missing = missing("deleteS3File");
export const signS3Objects: Missing = missing("signS3Objects");
export const getPresignedS3PublicUrl: Missing = missing("getPresignedS3PublicUrl");
export const getPresignedS3PublicUrls: Missing = missing("getPresignedS3PublicUrls");
export const usernameToEmail: Missing = missing("usernameToEmail");
export const datatable: Missing = missing("datatable");
export const ducklake: Missing = missing("ducklake");
export const requestInteractiveSlackApproval: Missing = missing("requestInteractiveSlackApproval");
export const requestInteractiveTeamsApproval: Missing = missing("requestInteractiveTeamsApproval");
export const workflow: Missing = missing("workflow");
export const task: Missing = missing("task");
export const taskScript: Missing = missing("taskScript");
export const taskFlow: Missing = missing("taskFlow");

/** A function that raises an error, so that importing a missing name fails only where it is used. */
function missing(name: string): Missing {
  return () => {
    throw new Error(
      `windmill-client: ${name} does not work in Millrace. docs/how-to/run-windmill-scripts.md lists what does, and what to` +
        " use instead.",
    );
  };
}
