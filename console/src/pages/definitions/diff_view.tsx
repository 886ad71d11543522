import { useMemo, useState } from "react";
import { diffLines } from "#/pages/definitions/diff.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  /** What is shown if the texts are equal. */
  readonly same?: string;
}

/** Lines that are drawn at first, and with each further request. */
const LINES_SHOWN = 1_000;
/** Lines before the first change of a longer comparison. */
const CONTEXT_LINES = 10;

const MARKS = { same: " ", removed: "-", added: "+" } as const;
const CLASSES = {
  same: "",
  removed: "bg-failed-soft text-failed",
  added: "bg-succeeded-soft text-succeeded",
} as const;

/** What has changed between two versions of a text. */
export function DiffView({ before, after, label, same = words.versions.same }: Props) {
  const found = useMemo(() => diffLines(before, after), [before, after]);
  const [shown, setShown] = useState(LINES_SHOWN);
  if (before === after) {
    return <p className="text-sm text-muted">{same}</p>;
  }
  const first = found.findIndex(({ kind }) => kind !== "same");
  const from = found.length > LINES_SHOWN ? Math.max(0, first - CONTEXT_LINES) : 0;
  return (
    <section
      tabIndex={0}
      aria-label={label}
      className="max-h-[70vh] overflow-auto rounded-lg border border-line bg-surface py-3 font-mono text-xs leading-5"
    >
      {from > 0 && <pre className="px-4 text-muted"> …</pre>}
      {found.slice(from, from + shown).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a comparison never move
        <pre key={index} className={`px-4 ${CLASSES[line.kind]}`}>
          {MARKS[line.kind]} {line.text}
        </pre>
      ))}
      {from + shown < found.length && (
        <button
          type="button"
          onClick={() => setShown((lines) => lines + LINES_SHOWN)}
          className="px-4 py-1 text-accent hover:underline"
        >
          {words.versions.moreLines(found.length - from - shown)}
        </button>
      )}
    </section>
  );
}
