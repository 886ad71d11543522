import { createContext } from "react";
import { ProblemError } from "#/api/problem.ts";

/** What is wrong with the fields of a form, in the server's words, by their paths: `items[0].count`. */
export type FieldProblemMap = Readonly<Record<string, string>>;

export const FieldProblems = createContext<FieldProblemMap>({});

/**
 * The problems that an answer of the server has with the fields of a form.
 *
 * @param prefix name of the form's value in the call, such as `input`
 */
export function problemsBelow(error: unknown, prefix: string): FieldProblemMap {
  const found: Record<string, string> = {};
  for (const { field = "", message = "" } of error instanceof ProblemError ? error.problem.errors : []) {
    if (field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`)) {
      const path = field.slice(prefix.length).replace(/^\./, "");
      const before = found[path];
      found[path] = before === undefined ? message : `${before}\n${message}`;
    }
  }
  return found;
}

/** The path of a member of an object, or of an entry of a list. */
export function pathIn(path: string, part: string | number): string {
  return typeof part === "number" ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`;
}
