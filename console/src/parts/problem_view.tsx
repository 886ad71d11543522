import type { ReactNode } from "react";
import { isUnauthenticated, ProblemError } from "#/api/problem.ts";
import { Button } from "#/parts/button.tsx";
import { Icon } from "#/parts/icon.tsx";
import { loginAddress } from "#/parts/login_address.ts";
import { problemText } from "#/parts/problem_text.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly error: unknown;
  /** Names of the errors that are shown at their fields. */
  readonly atFields?: ReadonlySet<string>;
  readonly onRetry?: () => void;
}

const NO_FIELDS: ReadonlySet<string> = new Set();

/** Why something did not work, in the server's words. */
export function ProblemView({ error, atFields = NO_FIELDS, onRetry }: Props) {
  const problem = error instanceof ProblemError ? error.problem : undefined;
  const { message, errors } =
    problem === undefined ? { message: messageOf(error), errors: [] } : problemText(problem, atFields);
  return (
    <div role="alert" className="rounded-lg border border-failed/40 bg-failed-soft p-4 text-sm">
      <p className="flex items-start gap-2 font-medium text-failed">
        <Icon name="failed" className="mt-0.5" />
        <span className="min-w-0 break-words">{message}</span>
      </p>
      {errors.length > 0 && (
        <ul className="mt-2 list-disc space-y-1 pl-10 break-words">
          {errors.map((field) => (
            <li key={`${field.field} ${field.message}`}>
              <code className="font-mono">{field.field}</code> {field.message}
            </li>
          ))}
        </ul>
      )}
      {problem?.trace_id ? (
        <p className="mt-2 pl-6 text-xs text-muted">
          {words.common.trace} <code className="font-mono break-all">{problem.trace_id}</code>
        </p>
      ) : null}
      <div className="mt-3 ml-6 flex flex-wrap items-center gap-3 empty:hidden">
        {onRetry !== undefined && <Button onClick={onRetry}>{words.common.retry}</Button>}
        {isUnauthenticated(error) && (
          <a href={loginAddress()} className="text-accent underline">
            {words.shell.logIn}
          </a>
        )}
      </div>
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What stands in place of content that is absent: what that means, and what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong/60 bg-surface px-6 py-10 text-center">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="mx-auto mt-2 max-w-xl space-y-3 text-sm text-muted">{children}</div>
    </div>
  );
}

/** Content that is on its way. */
export function Loading() {
  return (
    <p role="status" className="p-6 text-sm text-muted">
      {words.common.loading}
    </p>
  );
}
