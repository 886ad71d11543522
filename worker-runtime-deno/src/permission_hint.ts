/** Says which annotation gives a permission that Deno has refused. */

/** The message with which Deno refuses: the kind of access, and in quotes to what, unless to everything. */
const REFUSAL = /Requires (read|write|net|env|run|sys|ffi) access(?: to "([^"]*)")?.*, run again with the --allow-/;

/** Errors that are searched: packages with native parts report the refusal among the causes of their own error. */
const ERRORS_MAX = 50;

/** Values that an annotation can hold. */
const WRITABLE = /^[^\s,"]+$/;

/** What the author can do about a refused permission; undefined if neither the error nor one of its causes is a refusal. */
export function permissionHint(error: Error): string | undefined {
  const found = [error as unknown];
  for (const one of found) {
    if (found.length > ERRORS_MAX) return undefined;
    if (Array.isArray(one)) {
      found.push(...one.slice(0, ERRORS_MAX));
    } else if (one instanceof Error) {
      const refusal = REFUSAL.exec(String(one.message));
      if (refusal !== null) return hint(String(refusal[1]), refusal[2] ?? "");
      found.push(one.cause);
    }
  }
  return undefined;
}

function hint(kind: string, value: string): string {
  if (kind === "net" || kind === "env" || kind === "sys") {
    return `Either the script limits itself with "// millrace: allow-${kind}=…", or the worker grants less in its setting ` +
      "millrace.worker.deno-permissions. Extend the one that leaves this out.";
  }
  return `Write "// millrace: ${
    annotation(kind, value)
  }" before the first line of code, and deploy the script again. ` +
    "A worker takes the job if its setting millrace.worker.deno-permissions grants this.";
}

/** A library of a package has another path on each worker. */
function annotation(kind: string, value: string): string {
  if (kind === "ffi") return "allow-ffi";
  if (kind === "run") return `allow-run=${WRITABLE.test(value) ? value : "PROGRAM"}`;
  return `allow-${kind}=${WRITABLE.test(value) && value.startsWith("/") ? value : "/PATH"}`;
}
