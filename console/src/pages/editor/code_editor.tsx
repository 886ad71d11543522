import type { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { openEditor, showProblems, type TextProblem } from "#/pages/editor/code_mirror.ts";
import type { CompletionSchema } from "#/pages/editor/completion.ts";
import type { CodeLanguage } from "#/pages/editor/languages.ts";

interface Props {
  readonly label: string;
  readonly language: CodeLanguage;
  /** The text with which the editor opens. */
  readonly initial: string;
  readonly schema?: CompletionSchema | undefined;
  readonly problems: readonly TextProblem[];
  readonly onChange: (text: string) => void;
}

/** An editor for code. Give it another `key` to open another text. */
export function CodeEditor({ label, language, initial, schema, problems, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ initial, onChange });
  latest.current.onChange = onChange;
  useEffect(() => {
    const element = host.current;
    if (element === null) {
      return;
    }
    const shadow = element.shadowRoot ?? element.attachShadow({ mode: "open" });
    view.current = openEditor(shadow, {
      text: latest.current.initial,
      label,
      language,
      schema,
      isReadOnly: false,
      onChange: (text) => {
        // A second mount continues with what was written.
        latest.current.initial = text;
        latest.current.onChange(text);
      },
    });
    return () => view.current?.destroy();
  }, [label, language, schema]);
  useEffect(() => {
    if (view.current !== null) {
      showProblems(view.current, problems);
    }
  }, [problems]);
  return (
    <div
      ref={host}
      className="h-[max(20rem,calc(100vh-13rem))] overflow-hidden rounded-lg border border-line bg-surface"
    />
  );
}
