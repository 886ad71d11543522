/** Reads what a scheduler says about a failed call beside its message. */

import { BinaryReader } from "@bufbuild/protobuf/wire";
import { Code, ConnectError } from "@connectrpc/connect";

const NANOS_PER_SECOND = 1e9;

/** A broken rule of a request. */
export interface Violation {
  /** Path of the field, such as `spec.input`. */
  readonly field: string;
  /** What is wrong and what is expected. */
  readonly description: string;
}

/** How a call failed. */
export interface CallStatus {
  readonly code: Code;
  /** What the scheduler says; a full sentence. */
  readonly message: string;
  /** Stable word for programs; empty if the scheduler gave none. */
  readonly reason: string;
  /** Seconds after which it wants to be asked again; undefined if it said nothing. */
  readonly retryAfter: number | undefined;
  readonly violations: readonly Violation[];
}

/** Returns how a call failed. */
export function readStatus(failure: unknown): CallStatus {
  const error = ConnectError.from(failure, Code.Unavailable);
  let reason = "";
  let retryAfter: number | undefined;
  let violations: readonly Violation[] = [];
  for (const detail of error.details) {
    if (!("type" in detail) || !("value" in detail) || !(detail.value instanceof Uint8Array)) continue;
    const fields = readFields(detail.value);
    switch (detail.type) {
      case "google.rpc.ErrorInfo":
        reason = textOf(fields.get(1)?.[0]);
        break;
      case "google.rpc.RetryInfo":
        retryAfter = secondsOf(fields.get(1)?.[0]);
        break;
      case "google.rpc.BadRequest":
        violations = (fields.get(1) ?? []).map(violationOf);
        break;
    }
  }
  return { code: codeOf(error), message: sentence(error.rawMessage), reason, retryAfter, violations };
}

/** Connect calls a connection that broke aborted, and gives the error of Node.js as its cause; schedulers give none. */
function codeOf({ code, cause }: ConnectError): Code {
  return code === Code.Aborted && cause !== undefined ? Code.Unavailable : code;
}

type Field = Uint8Array | bigint;

/**
 * Returns the fields of an encoded message by number. The error details of Google are few and never change, so that no
 * generated code is needed for them.
 */
function readFields(encoded: Uint8Array): Map<number, Field[]> {
  const reader = new BinaryReader(encoded);
  const fields = new Map<number, Field[]>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === 0 || type === 2) {
      const value = type === 2 ? reader.bytes() : BigInt(reader.int64());
      fields.set(number, [...(fields.get(number) ?? []), value]);
    } else {
      reader.skip(type);
    }
  }
  return fields;
}

function textOf(field: Field | undefined): string {
  return field instanceof Uint8Array ? new TextDecoder().decode(field) : "";
}

function secondsOf(duration: Field | undefined): number | undefined {
  if (!(duration instanceof Uint8Array)) return undefined;
  const fields = readFields(duration);
  return Number(fields.get(1)?.[0] ?? 0) + Number(fields.get(2)?.[0] ?? 0) / NANOS_PER_SECOND;
}

function violationOf(violation: Field): Violation {
  const fields = violation instanceof Uint8Array ? readFields(violation) : new Map<number, Field[]>();
  return { field: textOf(fields.get(1)?.[0]), description: textOf(fields.get(2)?.[0]) };
}

function sentence(text: string): string {
  const told = text.trimEnd() || "There is no explanation.";
  return /[.!?]$/.test(told) ? told : `${told}.`;
}
