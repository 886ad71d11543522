import { useId, useState } from "react";
import { type FormProps, option, place } from "#/actions/action.ts";
import { result } from "#/api/client.ts";
import { InputForm } from "#/pages/definitions/input_form.tsx";
import { useInputSchema } from "#/pages/definitions/use_input_schema.ts";
import { Button } from "#/parts/button.tsx";
import { inputOptions } from "#/parts/command.ts";
import { Loading } from "#/parts/problem_view.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { words } from "#/words/words.ts";

/** Starts a new run of the same version, in the form with which the first one was started. */
export function RestartForm({ subject, callKey, onSent, onClose }: FormProps) {
  const { run } = subject;
  const { isPending, schema } = useInputSchema(run);
  const [reason, setReason] = useState("");
  const id = useId();
  if (isPending) {
    return <Loading />;
  }
  return (
    <>
      <p className="mb-4 text-sm text-muted">{words.actions.restartHelp}</p>
      <InputForm
        schema={schema}
        initial={run.input ?? {}}
        send={async (input) => {
          const body = { input: input as Record<string, never>, ...(reason.trim() === "" ? {} : { reason }) };
          onSent((await result(subject.api.POST("/runs/{id}:restart", { params: place(subject, callKey), body }))).id);
        }}
        command={(input) => (
          <div className="space-y-1">
            <p className="text-xs text-muted">{words.common.sameByCommand}</p>
            <ActionCommandLine
              args={["runs", "restart", run.id, ...inputOptions(input), ...option("--reason", reason)]}
            />
          </div>
        )}
        footer={(isSending) => (
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{words.common.close}</Button>
            <Button type="submit" kind="primary" disabled={isSending}>
              {words.actions.restart}
            </Button>
          </div>
        )}
      >
        <div className="space-y-1">
          <label htmlFor={id} className="text-sm font-medium">
            {words.actions.reason}
          </label>
          <input
            id={id}
            maxLength={1_000}
            className="w-full rounded-md border border-line bg-ground px-2.5 py-1.5 text-sm"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      </InputForm>
    </>
  );
}
