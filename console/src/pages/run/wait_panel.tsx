import { useQuery } from "@tanstack/react-query";
import type { Subject } from "#/actions/action.ts";
import { verdictsOf } from "#/actions/answer_wait.ts";
import { result } from "#/api/client.ts";
import type { ExplainedStep } from "#/api/types.ts";
import { AnswerButtons } from "#/pages/approvals/answer_buttons.tsx";
import { detailsOf } from "#/pages/approvals/wait_details.ts";
import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { type WaitReasons, waitReasons } from "#/pages/run/wait_reasons.ts";
import { Icon } from "#/parts/icon.tsx";
import { ServerText } from "#/parts/server_text.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** Time between two looks at why a run waits, which the server tells only when asked. */
const REFRESH_MILLIS = 3_000;

/** What a run waits for: the people who have to answer, and the server's explanation. */
export function WaitPanel({ subject, onDone }: { subject: Subject; onDone: () => void }) {
  const { api, run, workspace } = subject;
  const params = { path: { id: run.id } };
  const waits = useQuery({
    queryKey: [workspace, "runs", run.id, "waits"],
    queryFn: () => result(api.GET("/runs/{id}/waits", { params })),
    refetchInterval: REFRESH_MILLIS,
  });
  const shownKey = useShownKey();
  const explanation = useQuery({
    queryKey: [workspace, "runs", run.id, "explanation"],
    queryFn: () => result(api.GET("/runs/{id}/explanation", { params })),
    refetchInterval: REFRESH_MILLIS,
  });
  const answerable = (waits.data?.items ?? []).filter((wait) => verdictsOf(wait).length > 0);
  const reasons = waitReasons(explanation.data, new Set(answerable.map(({ step }) => step ?? "")));
  return (
    <>
      {answerable.map((wait) => (
        <div key={wait.step} className="rounded-lg border border-waiting/40 bg-waiting-soft p-3 text-sm">
          <div className="flex flex-wrap items-center gap-3">
            <Icon name="waiting" className="text-waiting" />
            <span className="min-w-0 flex-1 basis-40 wrap-anywhere max-sm:basis-[80%]">
              <strong>{detailsOf(wait).title ?? words.actions.waitsFor}</strong>{" "}
              <code className="font-mono text-xs">{shownKey(wait.step ?? "")}</code>{" "}
              <span className="text-muted">
                {words.actions.waitProgress(wait.received ?? 0, wait.required ?? 1)}
                {wait.end_time !== undefined && (
                  <>
                    {" · "}
                    {words.actions.timesOut} <TimeText time={wait.end_time} />
                  </>
                )}
              </span>
            </span>
            <AnswerButtons
              run={run}
              wait={wait}
              onDone={() => {
                void waits.refetch();
                onDone();
              }}
            />
          </div>
          {detailsOf(wait).description !== undefined && (
            <p className="mt-2 pl-7 whitespace-pre-wrap wrap-anywhere">{detailsOf(wait).description}</p>
          )}
        </div>
      ))}
      {reasons !== undefined && <Reasons reasons={reasons} />}
    </>
  );
}

/** The summary and the first reasons, which are always in sight, and the others, which may be many. */
function Reasons({ reasons: { summary, first, rest, leftOut } }: { reasons: WaitReasons }) {
  return (
    <section aria-label={words.run.why} className="rounded-lg border border-line bg-surface p-3 text-sm">
      <p className="break-words">
        <strong className="mr-2 font-medium">{words.run.why}</strong>
        <span className="text-muted">
          <ServerText text={summary} />
        </span>
      </p>
      <ReasonList steps={first} />
      {rest.length > 0 && (
        <details className="mt-1.5">
          <summary className="text-muted">{words.run.moreReasons(rest.length)}</summary>
          <ReasonList steps={rest} />
        </details>
      )}
      {leftOut > 0 && <p className="mt-1.5 text-muted">{words.run.reasonsLeftOut(leftOut)}</p>}
    </section>
  );
}

function ReasonList({ steps }: { steps: readonly ExplainedStep[] }) {
  const shownKey = useShownKey();
  return steps.length === 0 ? null : (
    <ul className="mt-2 space-y-1.5">
      {steps.map((step) => (
        <li key={`${step.step} ${step.text}`} className="break-words">
          {step.step !== "" && <code className="mr-2 font-mono text-xs">{shownKey(step.step ?? "")}</code>}
          <ServerText text={step.text ?? ""} />
        </li>
      ))}
    </ul>
  );
}
