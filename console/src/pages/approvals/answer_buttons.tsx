import { useState } from "react";
import { answerArguments, type Verdict, verdictsOf } from "#/actions/answer_wait.ts";
import { sendAnswer } from "#/actions/send_answer.ts";
import type { Wait } from "#/api/types.ts";
import { AnswerForm } from "#/pages/approvals/answer_form.tsx";
import { detailsOf } from "#/pages/approvals/wait_details.ts";
import { Button } from "#/parts/button.tsx";
import { newKey } from "#/parts/key.ts";
import { Modal } from "#/parts/modal.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { useMay, useSession } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly run: { readonly id: string; readonly name: string };
  readonly wait: Wait;
  readonly onDone: () => void;
}

/** The buttons that answer a step which waits for people; nothing for those who may not. */
export function AnswerButtons({ run, wait, onDone }: Props) {
  const workspace = useWorkspace();
  const may = useMay("runner", { path: run.name });
  const isLocal = useSession().data?.principal.kind === "local";
  const [open, setOpen] = useState<{ readonly verdict: Verdict; readonly key: string }>();
  const details = detailsOf(wait);
  const waiting = { run: run.id, step: wait.step ?? "" };
  if (!may) {
    return null;
  }
  return (
    <div className="flex gap-2">
      {verdictsOf(wait).map((verdict) => (
        <Button
          key={verdict}
          kind={verdict === "deny" ? "danger" : "primary"}
          onClick={() => setOpen({ verdict, key: newKey() })}
        >
          {words.actions[verdict]}
        </Button>
      ))}
      {open !== undefined && (
        <Modal
          title={`${words.actions[open.verdict]}: ${details.title ?? wait.step}`}
          isOpen
          onClose={() => setOpen(undefined)}
        >
          <AnswerForm
            verdict={open.verdict}
            form={details.form}
            name={!isLocal ? "known" : (wait.required ?? 1) > 1 ? "needed" : "asked"}
            send={(answer) => sendAnswer(workspace.api, waiting, open.verdict, answer, open.key)}
            command={(answer) => (
              <div className="space-y-1">
                <p className="text-xs text-muted">{words.common.sameByCommand}</p>
                <ActionCommandLine args={answerArguments(waiting, open.verdict, answer)} />
              </div>
            )}
            onClose={() => setOpen(undefined)}
            onDone={() => {
              setOpen(undefined);
              onDone();
            }}
          />
        </Modal>
      )}
    </div>
  );
}
