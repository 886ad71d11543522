/** The error of settings that cannot be used. */

import { MillraceError } from "../../src/errors.ts";

/** The settings name no scheduler, or one that the program must not call in this way. The message says what to change. */
export class AccessError extends MillraceError {
  override readonly name: string = "AccessError";
  override readonly retryable: boolean = false;
}
