/** Encodes and writes the frames that a process sends to its host, as docs/reference/process-protocol.md specifies. */

/** Version of the process protocol. */
export const PROTOCOL_VERSION = 2;

/** Longest text of one log frame, in UTF-16 units, each of at most 3 bytes. */
export const LOG_TEXT_LENGTH_MAX = 10 * 1024;

/** Origin of printed text; `system` is Millrace itself, `trace` a message that the script records. */
export type LogStream = "stdout" | "stderr" | "system" | "trace";

/** Failure of a job, or of loading its script. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly retryable: boolean;
}

/** A file that accepts bytes or throws. */
export interface SyncWriter {
  writeSync(bytes: Uint8Array): number;
}

export function readyFrame(runtime: string): string {
  return frame({ type: "ready", protocol: PROTOCOL_VERSION, runtime });
}

export function loadErrorFrame({ name, message, stack }: Failure): string {
  return frame({ type: "load_error", name, message, stack });
}

/** Returns the frames for `text`; a long text needs several. */
export function logFrames(id: string, stream: LogStream, text: string): string {
  let frames = "";
  for (let from = 0; from < text.length; from += LOG_TEXT_LENGTH_MAX) {
    const part = text.slice(from, from + LOG_TEXT_LENGTH_MAX);
    frames += `{"type":"log","id":${JSON.stringify(id)},"stream":"${stream}","text":${JSON.stringify(part)}}\n`;
  }
  return frames;
}

export function resultFrame(id: string, resultJson: string): string {
  return `{"type":"result","id":${JSON.stringify(id)},"result":${resultJson}}\n`;
}

export function progressFrame(id: string, valueJson: string): string {
  return `{"type":"progress","id":${JSON.stringify(id)},"value":${valueJson}}\n`;
}

export function spanFrame(id: string, spanJson: string): string {
  return `{"type":"span","id":${JSON.stringify(id)},"span":${spanJson}}\n`;
}

export function callFrame(id: string, number: number, method: string, argumentsJson: string): string {
  return `{"type":"call","id":${
    JSON.stringify(id)
  },"call":${number},"method":"${method}","arguments":${argumentsJson}}\n`;
}

export function errorFrame(id: string, { name, message, stack, retryable }: Failure): string {
  return frame({ type: "error", id, name, message, stack, retryable });
}

/** Writes all of `frames`; blocks while the host does not read. */
export function writeFrames(channel: SyncWriter, frames: string): void {
  let bytes = encoder.encode(frames);
  while (bytes.length > 0) {
    bytes = bytes.subarray(channel.writeSync(bytes));
  }
}

function frame(members: Record<string, unknown>): string {
  return JSON.stringify(members) + "\n";
}

const encoder = new TextEncoder();
