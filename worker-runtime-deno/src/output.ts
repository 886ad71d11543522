/** Writes all frames, and converts printed text of user code to log frames. */

import { ConsoleWithPrinter } from "./deno_internals.ts";
import { logFrames, type LogStream, type SyncWriter, writeFrames } from "./frames.ts";
import { currentScope } from "./job_scope.ts";

const WARNING_LEVEL = 2;

/**
 * The frames channel. Each text is written at once, so that it is visible live and is not lost if the process is
 * killed.
 */
export class Output {
  readonly #channel: SyncWriter;
  /** Id of the job whose user code runs; empty if none does. */
  runningId = "";

  constructor(channel: SyncWriter) {
    this.#channel = channel;
  }

  write(frames: string): void {
    if (frames !== "") writeFrames(this.#channel, frames);
  }

  /** Writes text as printed by the calling code; the text of an ended job belongs to no job. */
  print(stream: LogStream, text: string): void {
    const id = currentScope()?.isEnded ? "" : this.runningId;
    this.write(logFrames(id, stream, text));
  }
}

/** Redirects `console`, `Deno.stdout` and `Deno.stderr` to `output`. */
export function captureOutput(output: Output): void {
  if (ConsoleWithPrinter) {
    globalThis.console = new ConsoleWithPrinter((text, level) =>
      output.print(level >= WARNING_LEVEL ? "stderr" : "stdout", text)
    );
  }
  capture(Deno.stdout, "stdout", output);
  capture(Deno.stderr, "stderr", output);
}

function capture(file: typeof Deno.stdout, stream: LogStream, output: Output): void {
  const decoder = new TextDecoder();
  const writeSync = (bytes: Uint8Array): number => {
    output.print(stream, decoder.decode(bytes, { stream: true }));
    return bytes.length;
  };
  const write = (bytes: Uint8Array): Promise<number> => Promise.resolve(writeSync(bytes));
  const writable = new WritableStream<Uint8Array>({ write: (bytes) => void writeSync(bytes) });
  Object.defineProperties(file, {
    writeSync: { value: writeSync, configurable: true },
    write: { value: write, configurable: true },
    writable: { value: writable, configurable: true },
  });
}
