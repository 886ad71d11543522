import type { Problem } from "#/api/types.ts";
import { words } from "#/words/words.ts";

/** What is shown of a problem beside a form. */
export interface ProblemText {
  readonly message: string;
  readonly errors: Problem["errors"];
}

/**
 * Says everything of a problem once: the detail of the server may repeat its errors, and the fields of a form may show them.
 *
 * @param atFields names of the errors that fields show
 */
export function problemText({ detail, errors }: Problem, atFields: ReadonlySet<string>): ProblemText {
  const rest = errors.filter(({ field }) => !atFields.has(field ?? ""));
  const isRepeated = ({ message }: Problem["errors"][number]) => message !== undefined && detail.includes(message);
  if (!errors.some(isRepeated)) {
    return { message: detail, errors: rest };
  }
  if (rest.length === 0) {
    return { message: words.common.seeFields, errors: [] };
  }
  return rest.length === errors.length && errors.every(isRepeated)
    ? { message: detail, errors: [] }
    : { message: words.common.refused, errors: rest };
}
