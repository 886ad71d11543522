import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { PendingWait } from "#/api/types.ts";
import { AnswerButtons } from "#/pages/approvals/answer_buttons.tsx";
import { usePending } from "#/pages/approvals/queries.ts";
import { detailsOf, isFor } from "#/pages/approvals/wait_details.ts";
import { WaitFacts } from "#/pages/approvals/wait_facts.tsx";
import { CommandLine } from "#/parts/copy_button.tsx";
import { LoadedPages } from "#/parts/loaded.tsx";
import { Page } from "#/parts/page.tsx";
import { EmptyState } from "#/parts/problem_view.tsx";
import { RunLink } from "#/parts/run_link.tsx";
import { useSession } from "#/shell/session.ts";
import { words } from "#/words/words.ts";

/** The steps that wait for people, those for the caller first of all. */
export function ApprovalsPage() {
  const pending = usePending();
  const session = useSession();
  const isLocal = session.data?.principal.kind === "local";
  const name = session.data?.principal.name ?? "";
  const [isAll, setAll] = useState(false);
  const shown = (wait: PendingWait) => isAll || isLocal || isFor(detailsOf(wait), name);
  return (
    <Page
      title={words.approvals.title}
      actions={
        !isLocal && (
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} />
            {words.approvals.all}
          </label>
        )
      }
    >
      <LoadedPages query={pending}>
        {(waits) =>
          waits.filter(shown).length === 0 ? (
            <EmptyState title={words.approvals.empty}>
              <p>{words.approvals.emptyHelp}</p>
              <CommandLine command="- {id: release, wait: {approval: release, required: 2, timeout: 2d, details: {title: Release?}}}" />
            </EmptyState>
          ) : (
            <ul className="space-y-3">
              {waits.filter(shown).map((wait) => (
                <Card key={`${wait.run_id} ${wait.step}`} wait={wait} onDone={() => void pending.refetch()} />
              ))}
            </ul>
          )
        }
      </LoadedPages>
    </Page>
  );
}

function Card({ wait, onDone }: { wait: PendingWait; onDone: () => void }) {
  const details = detailsOf(wait);
  return (
    <li className="space-y-2 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="font-semibold break-words">{details.title ?? wait.name ?? words.actions.waitsFor}</h2>
          <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
            <Link
              to="/flows/$"
              params={{ _splat: wait.run_name }}
              className="min-w-0 break-all text-accent hover:underline"
            >
              {wait.run_name}
            </Link>
            <code className="font-mono text-xs break-all">{wait.step}</code>
            <RunLink id={wait.run_id} />
          </p>
        </div>
        <AnswerButtons run={{ id: wait.run_id, name: wait.run_name }} wait={wait} onDone={onDone} />
      </div>
      {details.description !== undefined && (
        <p className="text-sm break-words whitespace-pre-wrap">{details.description}</p>
      )}
      <WaitFacts wait={wait} />
    </li>
  );
}
