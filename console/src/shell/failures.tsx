import { Link } from "@tanstack/react-router";
import { Button } from "#/parts/button.tsx";
import { EmptyState, ProblemView } from "#/parts/problem_view.tsx";
import { words } from "#/words/words.ts";

/** The page at an address that leads nowhere. */
export function NotFound() {
  return (
    <EmptyState title={words.shell.notFound}>
      <p>{words.shell.notFoundHelp}</p>
      <Link to="/" className="text-accent underline">
        {words.palette.goTo} {words.pages.home}
      </Link>
    </EmptyState>
  );
}

/** What is shown in place of a page whose code has failed. */
export function Failure({ error }: { error: unknown }) {
  return (
    <div className="mx-auto max-w-2xl space-y-3 p-6">
      <h1 className="text-lg font-semibold">{words.shell.broken}</h1>
      <ProblemView error={error} />
      <p className="text-sm text-muted">{words.shell.brokenHelp}</p>
      <Button kind="primary" onClick={() => document.location.reload()}>
        {words.shell.reload}
      </Button>
    </div>
  );
}
