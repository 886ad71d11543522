import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { result } from "#/api/client.ts";
import type { Script } from "#/api/types.ts";
import { OBJECT, present } from "#/forms/field.ts";
import { type FormAction, FormButton } from "#/forms/form_button.tsx";
import { CodeEditor } from "#/pages/editor/code_editor.tsx";
import { type Draft, useDraft } from "#/pages/editor/draft.ts";
import type { Deployed } from "#/pages/editor/editor_page.tsx";
import { codeLanguage } from "#/pages/editor/languages.ts";
import { ScriptPlan } from "#/pages/editor/plan.tsx";
import { Button } from "#/parts/button.tsx";
import { inputTextOptions } from "#/parts/command.ts";
import { Page } from "#/parts/page.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly name: string;
  readonly deployed: Deployed | undefined;
  readonly initial: Draft;
}

const NOTHING: readonly never[] = [];

/** Edits a script. */
export function ScriptEditor({ name, deployed, initial }: Props) {
  const { draft, change, drop, isKept } = useDraft(name, initial);
  const [path, setPath] = useState(deployed?.path ?? "examples/hello.py");
  const [round, setRound] = useState(0);
  const { api } = useWorkspace();
  const navigate = useNavigate();
  const script = {
    path,
    content: draft.text,
    files: draft.files,
    ...present("language", deployed?.language as Script["language"] | undefined),
  };
  const file = path.slice(path.lastIndexOf("/") + 1);
  const language = codeLanguage(path, deployed?.language);
  const deploy: FormAction = {
    label: words.editor.deploy,
    role: "developer",
    kind: "primary",
    help: <ScriptPlan source={script} />,
    act: async () => {
      await result(api.POST("/scripts", { body: script }));
      drop();
      void navigate({ to: "/scripts/$", params: { _splat: path } });
      return null;
    },
    command: () => ["scripts", "deploy", file, "--path", path],
  };
  const run: FormAction = {
    label: words.editor.run,
    role: "developer",
    help: words.editor.runHelp,
    fields: [{ name: "input", label: words.actions.input, kind: OBJECT, initial: "{}" }],
    act: async ({ input }) => {
      const stored = await result(api.POST("/scripts", { body: { ...script, store_only: true } }));
      const body = { target: { script_hash: stored.hash ?? "" }, input: (input ?? {}) as Record<string, never> };
      const started = await result(api.POST("/runs", { body }));
      void navigate({ to: "/runs/$id", params: { id: started.id } });
      return null;
    },
    command: ({ input }) => ["run", file, "--detach", ...inputTextOptions(input)],
  };
  return (
    <Page
      title={deployed?.path ?? words.editor.newScript}
      actions={
        <div className="flex flex-wrap gap-2">
          {isKept && (
            <Button
              onClick={() => {
                change(initial);
                drop();
                setRound((before) => before + 1);
              }}
            >
              {words.editor.drop}
            </Button>
          )}
          <FormButton action={run} onDone={() => undefined} />
          <FormButton action={deploy} onDone={() => undefined} />
        </div>
      }
    >
      {isKept && <p className="text-sm text-muted">{words.editor.kept}</p>}
      {deployed === undefined && (
        <label className="block max-w-md space-y-1 text-sm font-medium">
          <span>{words.schedules.path}</span>
          <input
            value={path}
            onChange={(event) => setPath(event.target.value)}
            className="min-h-9 w-full rounded-md border border-line bg-ground px-2.5 font-normal"
          />
        </label>
      )}
      <CodeEditor
        key={`${round} ${language}`}
        label={words.scripts.tabs.source}
        language={language}
        initial={draft.text}
        problems={NOTHING}
        onChange={(text) => change({ ...draft, text })}
      />
    </Page>
  );
}
