import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useMemo, useState } from "react";
import { result } from "#/api/client.ts";
import type { FlowProblem } from "#/api/types.ts";
import { type FormAction, FormButton } from "#/forms/form_button.tsx";
import { DiffView } from "#/pages/definitions/diff_view.tsx";
import { readFlow } from "#/pages/definitions/flow_document.ts";
import { CodeEditor } from "#/pages/editor/code_editor.tsx";
import type { TextProblem } from "#/pages/editor/code_mirror.ts";
import { DEFINITION, type Draft, sourceOf, useDraft } from "#/pages/editor/draft.ts";
import type { Deployed } from "#/pages/editor/editor_page.tsx";
import { languageOf } from "#/pages/editor/languages.ts";
import { FlowPlan } from "#/pages/editor/plan.tsx";
import { RunDraft } from "#/pages/editor/run_draft.tsx";
import { newFile } from "#/pages/editor/templates.ts";
import { useSettled } from "#/pages/editor/use_settled.ts";
import { Button } from "#/parts/button.tsx";
import { Page } from "#/parts/page.tsx";
import { ProblemView } from "#/parts/problem_view.tsx";
import { lazyPart } from "#/shell/lazy_part.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";
import flowSchema from "../../../../schema/millrace-flow.json";

const FlowGraph = lazyPart(() => import("#/pages/graph/flow_graph.tsx").then((module) => module.FlowGraph));
const NO_PROBLEMS: readonly TextProblem[] = [];

interface Props {
  readonly name: string;
  readonly deployed: Deployed | undefined;
  readonly initial: Draft;
}

/** Edits a flow with the scripts beside it; the graph follows the text, and the server says what is wrong. */
export function FlowEditor({ name, deployed, initial }: Props) {
  const { draft, change, drop, isKept } = useDraft(name, initial);
  const [file, setFile] = useState(DEFINITION);
  const [round, setRound] = useState(0);
  const settled = useSettled(draft);
  const { api } = useWorkspace();
  const navigate = useNavigate();
  const validation = useQuery({
    queryKey: ["validate", name, settled],
    gcTime: 0,
    placeholderData: (before) => before,
    queryFn: () => result(api.POST("/flows:validate", { body: sourceOf(settled) })),
  });
  const { problems, warnings = [], script_paths = [] } = validation.data ?? {};
  const marks = useMemo(
    () => (problems === undefined ? NO_PROBLEMS : marksOf(problems, warnings)),
    [problems, warnings],
  );
  const document = useLastGraph(settled.text);
  const missing = script_paths.filter(
    (path) => !(path in draft.files) && (problems ?? []).some((problem) => problem.message?.includes(path)),
  );
  const files = [DEFINITION, ...Object.keys(draft.files)];
  const deploy: FormAction = {
    label: words.editor.deploy,
    role: "developer",
    kind: "primary",
    blocked: settled === draft && (problems ?? []).length > 0 ? words.editor.blocked : undefined,
    help: (
      <div className="space-y-3">
        <Changes before={deployed} after={draft} />
        <FlowPlan source={sourceOf(draft)} />
      </div>
    ),
    act: async () => {
      const flow = await result(api.POST("/flows", { body: sourceOf(draft) }));
      drop();
      void navigate({ to: "/flows/$", params: { _splat: flow.path ?? "" } });
      return null;
    },
    command: () => ["flows", "deploy", DEFINITION],
  };
  return (
    <Page
      title={deployed?.path ?? words.editor.newFlow}
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
          <RunDraft draft={draft} />
          <FormButton action={deploy} onDone={() => undefined} />
        </div>
      }
    >
      {isKept && <p className="text-sm text-muted">{words.editor.kept}</p>}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="min-w-0 space-y-2">
          <nav className="flex flex-wrap gap-1" aria-label={words.scripts.files}>
            {files.map((path) => (
              <Button
                key={path}
                kind={path === file ? "plain" : "ghost"}
                aria-pressed={path === file}
                onClick={() => setFile(path)}
              >
                {path}
              </Button>
            ))}
            {missing.map((path) => (
              <Button
                key={path}
                kind="ghost"
                onClick={() => {
                  change({ ...draft, files: { ...draft.files, [path]: newFile(path) } });
                  setFile(path);
                }}
              >
                + {path}
              </Button>
            ))}
          </nav>
          {file === DEFINITION ? (
            <CodeEditor
              key={`${round}`}
              label={words.flows.tabs.definition}
              language="yaml"
              schema={flowSchema}
              initial={draft.text}
              problems={marks}
              onChange={(text) => change({ ...draft, text })}
            />
          ) : (
            <CodeEditor
              key={`${round} ${file}`}
              label={file}
              language={languageOf(file)}
              initial={draft.files[file] ?? ""}
              problems={NO_PROBLEMS}
              onChange={(text) => change({ ...draft, files: { ...draft.files, [file]: text } })}
            />
          )}
          {validation.isError && <ProblemView error={validation.error} />}
          <Problems
            problems={marks}
            isChecked={validation.isSuccess && !validation.isPlaceholderData && settled === draft}
          />
        </div>
        <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-surface">
          {document === undefined ? (
            <p className="p-4 text-sm text-muted">{words.editor.noGraph}</p>
          ) : (
            <FlowGraph document={document} steps={undefined} selected={undefined} onSelect={undefined} />
          )}
        </div>
      </div>
    </Page>
  );
}

/** What a deployment changes: the definition, and each file that differs. */
function Changes({ before, after }: { before: Draft | undefined; after: Draft }) {
  const old = before?.files ?? {};
  const changed = Object.keys(after.files).filter((path) => after.files[path] !== old[path]);
  const isSameText = before?.text === after.text;
  return (
    <div className="space-y-3">
      {(!isSameText || changed.length === 0) && <FileChange before={before?.text} after={after.text} />}
      {changed.map((path) => (
        <section key={path} className="space-y-1">
          <h3 className="font-mono text-xs">{path}</h3>
          <FileChange before={old[path]} after={after.files[path]} />
        </section>
      ))}
    </div>
  );
}

function FileChange({ before = "", after = "" }: { before: string | undefined; after: string | undefined }) {
  return <DiffView before={before} after={after} label={words.editor.changes} same={words.editor.noChange} />;
}

function Problems({ problems, isChecked }: { problems: readonly TextProblem[]; isChecked: boolean }) {
  if (problems.length === 0) {
    return (
      <p role="status" className="text-sm text-succeeded">
        {isChecked ? words.editor.valid : ""}
      </p>
    );
  }
  return (
    <div role="status">
      <ul className="space-y-1 text-sm">
        {problems.map((problem) => (
          <li key={`${problem.line} ${problem.column} ${problem.message}`} className="flex gap-3 break-words">
            <span className="shrink-0 text-muted tabular-nums">{problem.line > 0 ? problem.line : ""}</span>
            <span className={problem.isWarning ? "text-waiting" : "text-failed"}>{problem.message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function marksOf(problems: readonly FlowProblem[], warnings: readonly FlowProblem[]): readonly TextProblem[] {
  const mark = (isWarning: boolean) => (problem: FlowProblem) => ({
    line: problem.line ?? 0,
    column: problem.column ?? 0,
    message: [problem.message, problem.remedy].filter(Boolean).join(" "),
    isWarning,
  });
  return [...problems.map(mark(false)), ...warnings.map(mark(true))];
}

/** The definition for the graph: while the text cannot be read, the graph stays as it was. */
function useLastGraph(text: string) {
  const deferred = useDeferredValue(text);
  const [last, setLast] = useState(() => drawable(deferred));
  const [seen, setSeen] = useState(deferred);
  if (seen !== deferred) {
    setSeen(deferred);
    const document = drawable(deferred);
    if (document !== undefined) {
      setLast(document);
    }
  }
  return last;
}

function drawable(text: string) {
  const document = readFlow(text);
  const { steps } = document ?? {};
  const isWhole =
    Array.isArray(steps) && steps.every((step) => typeof step === "object" && typeof step?.id === "string");
  return isWhole ? document : undefined;
}
