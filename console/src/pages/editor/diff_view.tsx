import { diffLines } from "#/pages/editor/line_diff.ts";
import { words } from "#/words/words.ts";

const MARKS = { same: " ", removed: "-", added: "+" } as const;
const CLASSES = {
  same: "text-muted",
  removed: "bg-failed-soft text-failed",
  added: "bg-succeeded-soft text-succeeded",
} as const;

/** What a deployment changes, line by line. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = diffLines(before, after);
  if (lines.every(({ kind }) => kind === "same")) {
    return <p className="text-sm text-muted">{words.editor.noChange}</p>;
  }
  return (
    <section
      tabIndex={0}
      aria-label={words.editor.changes}
      className="max-h-[45vh] overflow-auto rounded-md border border-line bg-ground py-2 font-mono text-xs leading-5"
    >
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a comparison have no names
        <pre key={index} className={`px-3 whitespace-pre-wrap ${CLASSES[kind]}`}>
          {MARKS[kind]} {text}
        </pre>
      ))}
    </section>
  );
}
