/** What a worker tells people. */

/** Tells people what the worker does. */
export type Notify = (level: "info" | "warning", message: string) => void;

/** Writes a line to stderr. */
export const writeToStderr: Notify = (_, message) => console.error(`millrace: ${message}`);

/**
 * Returns a function that cannot fail: the session calls it in the midst of changes, which must be completed.
 *
 * @param notify Function of a user.
 * @param fallback Receives what the function failed to tell.
 */
export function harmless(notify: Notify, fallback: Notify = writeToStderr): Notify {
  return (level, message) => {
    try {
      notify(level, message);
    } catch (error) {
      fallback(level, `${message} (The function "notify" of the worker failed: ${String(error)})`);
    }
  };
}
