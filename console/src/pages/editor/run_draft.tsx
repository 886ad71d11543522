import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { result } from "#/api/client.ts";
import { inputSchema, readFlow } from "#/pages/definitions/flow_document.ts";
import { initialValue } from "#/pages/definitions/form/schema.ts";
import type { Input } from "#/pages/definitions/input_draft.ts";
import { InputForm } from "#/pages/definitions/input_form.tsx";
import { DEFINITION, type Draft, sourceOf } from "#/pages/editor/draft.ts";
import { Button } from "#/parts/button.tsx";
import { inputOptions } from "#/parts/command.ts";
import { Modal } from "#/parts/modal.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { useMay } from "#/shell/session.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

/** Runs the draft of a flow, which is stored for that without being deployed. */
export function RunDraft({ draft }: { draft: Draft }) {
  const may = useMay("developer");
  const [isOpen, setOpen] = useState(false);
  return !may ? null : (
    <>
      <Button onClick={() => setOpen(true)}>{words.editor.run}</Button>
      <Modal title={words.editor.run} isOpen={isOpen} onClose={() => setOpen(false)}>
        <DraftForm draft={draft} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function DraftForm({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const { api } = useWorkspace();
  const navigate = useNavigate();
  const document = readFlow(draft.text);
  const schema = document === undefined ? undefined : inputSchema(document);
  const send = async (input: Input) => {
    const { hash = "" } = await result(api.POST("/flows", { body: { ...sourceOf(draft), store_only: true } }));
    const body = { target: { flow_hash: hash }, input: input as Record<string, never> };
    const { id } = await result(api.POST("/runs", { body }));
    void navigate({ to: "/runs/$id", params: { id } });
  };
  return (
    <>
      <p className="mb-4 text-sm text-muted">{words.editor.runHelp}</p>
      <InputForm
        schema={schema}
        initial={(schema === undefined ? {} : (initialValue(schema, schema) ?? {})) as Input}
        send={send}
        command={(input) => (
          <div className="space-y-1">
            <p className="text-xs text-muted">{words.common.sameByCommand}</p>
            <ActionCommandLine args={["run", DEFINITION, "--detach", ...inputOptions(input)]} />
          </div>
        )}
        footer={(isSending) => (
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>{words.common.close}</Button>
            <Button type="submit" kind="primary" disabled={isSending}>
              {words.editor.run}
            </Button>
          </div>
        )}
      />
    </>
  );
}
