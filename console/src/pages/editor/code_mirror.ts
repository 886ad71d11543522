import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { python } from "@codemirror/lang-python";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { type CompletionSchema, suggestions } from "#/pages/editor/completion.ts";
import type { CodeLanguage } from "#/pages/editor/languages.ts";
import { SYNTAX } from "#/pages/editor/syntax.ts";
import { yamlPlace } from "#/pages/editor/yaml_place.ts";

/** Something that is wrong in a text. Lines and columns count from 1; 0 if they are unknown. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly isWarning: boolean;
}

interface Options {
  readonly text: string;
  readonly label: string;
  readonly language: CodeLanguage;
  /** Schema by which keys and values are completed, for YAML. */
  readonly schema: CompletionSchema | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/**
 * Opens an editor in a shadow root. Its styles are constructed sheets there; in the document they would be elements, which
 * the content security policy refuses.
 */
export function openEditor(shadow: ShadowRoot, options: Options): EditorView {
  const listen = EditorView.updateListener.of((update) => {
    if (update.docChanged) {
      options.onChange(update.state.doc.toString());
    }
  });
  const state = EditorState.create({
    doc: options.text,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      highlightActiveLine(),
      highlightSelectionMatches(),
      indentOnInput(),
      indentUnit.of(options.language === "python" ? "    " : "  "),
      bracketMatching(),
      lintGutter(),
      autocompletion(options.schema === undefined ? {} : { override: [completeYaml(options.schema)] }),
      keymap.of([
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      languageOf(options.language),
      syntaxHighlighting(COLORS),
      THEME,
      EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
      EditorState.readOnly.of(options.isReadOnly),
      REPLACE_SELECTION,
      listen,
    ],
  });
  return new EditorView({ state, parent: shadow, root: shadow });
}

/**
 * Replaces selected text by what somebody types. Chromium would give the new text the style of the old one in a `style`
 * attribute, which the content security policy refuses.
 */
const REPLACE_SELECTION = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { state } = view;
    const isReplacement = event.inputType === "insertText" && !event.isComposing && !state.selection.main.empty;
    if (!isReplacement || event.data === null || state.readOnly) {
      return false;
    }
    event.preventDefault();
    view.dispatch(state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

/** Marks what is wrong, each at its line. */
export function showProblems(view: EditorView, problems: readonly TextProblem[]): void {
  const { doc } = view.state;
  const diagnostics = problems.map((problem): Diagnostic => {
    const line = doc.line(Math.min(doc.lines, Math.max(1, problem.line)));
    const from = Math.min(line.to, line.from + Math.max(0, problem.column - 1));
    return { from, to: line.to, severity: problem.isWarning ? "warning" : "error", message: problem.message };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

function completeYaml(schema: CompletionSchema) {
  return (context: CompletionContext) => {
    const place = yamlPlace(context.state.doc.toString(), context.pos);
    if (place === undefined || (place.prefix === "" && !context.explicit)) {
      return null;
    }
    const options = suggestions(schema, place).map(({ label, info, insert }) => ({
      label,
      apply: insert,
      detail: info,
      type: place.key === undefined ? "property" : "enum",
    }));
    return { from: context.pos - place.prefix.length, options, validFor: /^[\w.-]*$/ };
  };
}

function languageOf(language: CodeLanguage): Extension {
  switch (language) {
    case "yaml":
      return yaml();
    case "python":
      return python();
    case "typescript":
      return javascript({ typescript: true });
    case "text":
      return [];
  }
}

const COLORS = HighlightStyle.define(SYNTAX.map(({ class: _, ...style }) => style));

const THEME = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "13px", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft) !important" },
  ".cm-tooltip, .cm-panels": {
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--text)" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--failed)" },
});
