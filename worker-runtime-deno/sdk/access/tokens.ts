/** The token that calls show. */

import { readFileSync } from "node:fs";
import { AccessError } from "./errors.ts";

/** Most characters of a token; more than any has. */
const LENGTH_MAX = 4096;

/** A token, or the file that holds it, which is read again after the scheduler has refused it. */
export class TokenSource {
  readonly #file: string;
  #token: string;

  constructor(token: string, file: string) {
    this.#file = file;
    this.#token = file ? read(file) : token.trim();
  }

  /** Whether there is a token. */
  get exists(): boolean {
    return this.#token !== "";
  }

  /** Returns what a call shows. */
  headers(): Record<string, string> {
    return this.exists ? { authorization: `Bearer ${this.#token}` } : {};
  }

  /** Reads the file again after a refusal of what was shown; returns whether there is another token to try. */
  renew(shown: Record<string, string>): boolean {
    if (this.#file && this.headers()["authorization"] === shown["authorization"]) {
      try {
        this.#token = read(this.#file);
      } catch {
        return false;
      }
    }
    return this.headers()["authorization"] !== shown["authorization"];
  }
}

function read(file: string): string {
  let token: string;
  try {
    token = (readFileSync(file, "utf8").split(/\r?\n/, 1)[0] ?? "").trim();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AccessError(
      `The token cannot be read from ${file}: ${why}. Check the path and that this user may read it.`,
    );
  }
  if (token === "" || token.length > LENGTH_MAX) {
    throw new AccessError(`The file ${file} holds no token (expected: the token on its first line).`);
  }
  return token;
}
