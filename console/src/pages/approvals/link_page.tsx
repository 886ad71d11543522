import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Answer } from "#/actions/answer_wait.ts";
import { result, shared } from "#/api/client.ts";
import { AnswerForm } from "#/pages/approvals/answer_form.tsx";
import { linkQuery } from "#/pages/approvals/queries.ts";
import { detailsOf } from "#/pages/approvals/wait_details.ts";
import { WaitFacts } from "#/pages/approvals/wait_facts.tsx";
import { Icon } from "#/parts/icon.tsx";
import { Loaded } from "#/parts/loaded.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { words } from "#/words/words.ts";

/** The page behind a signed link. It needs no login: whoever has the link may answer, as the link says. */
export function LinkPage() {
  const { run, token } = useParams({ from: "/approvals/$run/$token" });
  const link = useQuery(linkQuery(run, token));
  const [done, setDone] = useState<"counted" | "kept">();
  useEffect(() => {
    document.title = `${words.approvals.title} – ${words.product}`;
  }, []);
  const send = async ({ payload }: Answer) => {
    const params = { path: { id: run, token } };
    const body = payload === undefined ? {} : { payload };
    const { kept } = await result(shared.POST("/api/v1/runs/{id}/wait-links/{token}", { params, body }));
    setDone(kept === true ? "kept" : "counted");
  };
  return (
    <main className="mx-auto max-w-xl space-y-4 p-4 sm:p-8">
      <p className="flex items-center gap-2 text-sm font-semibold text-muted">
        <img src={new URL("../../design/icon.svg", import.meta.url).href} alt="" className="size-6" />
        {words.product}
      </p>
      {link.isError && <h1 className="text-xl font-semibold">{words.approvals.title}</h1>}
      {done !== undefined ? (
        <div role="status" className="space-y-2 rounded-lg border border-line bg-surface p-6">
          <h1 className="flex items-center gap-2 text-lg font-semibold text-succeeded">
            <Icon name="succeeded" />
            {words.approvals.done}
          </h1>
          <p className="text-sm text-muted">{done === "kept" ? words.approvals.kept : words.approvals.counted}</p>
        </div>
      ) : (
        <Loaded query={link}>
          {({ answer = "approve", step = "", actor = "", expire_time, wait }) => {
            const details = detailsOf(wait ?? {});
            return (
              <article className="space-y-4 rounded-lg border border-line bg-surface p-4 sm:p-6">
                <h1 className="text-xl font-semibold break-words">{details.title ?? wait?.name ?? step}</h1>
                {details.description !== undefined && (
                  <p className="break-words whitespace-pre-wrap">{details.description}</p>
                )}
                {wait === undefined ? (
                  <p className="text-sm text-waiting">{words.approvals.notYet}</p>
                ) : (
                  <WaitFacts wait={wait} />
                )}
                <p className="text-sm text-muted">
                  {words.approvals.inTheName(actor)} · {words.approvals.expires} <TimeText time={expire_time} />
                </p>
                <AnswerForm verdict={answer} form={details.form} name="known" send={send} onDone={() => undefined} />
              </article>
            );
          }}
        </Loaded>
      )}
    </main>
  );
}
