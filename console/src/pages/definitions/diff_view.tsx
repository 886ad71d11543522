import { useMemo, useState } from "react";
import { type DiffLine, diffLines, type Fold, foldEqual } from "#/pages/definitions/diff.ts";
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
/** Equal lines around a change. */
const CONTEXT_LINES = 3;

const MARKS = { same: " ", removed: "-", added: "+" } as const;
const CLASSES = {
  same: "",
  removed: "bg-failed-soft text-failed",
  added: "bg-succeeded-soft text-succeeded",
} as const;

/** What has changed between two versions of a text; the lines that are equal unfold on a click. */
export function DiffView({ before, after, label, same = words.versions.same }: Props) {
  const found = useMemo(() => foldEqual(diffLines(before, after), CONTEXT_LINES), [before, after]);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(LINES_SHOWN);
  if (before === after) {
    return <p className="text-sm text-muted">{same}</p>;
  }
  const rows = found.flatMap<DiffLine | (Fold & { readonly at: number })>((row, at) =>
    row.kind !== "fold" ? [row] : opened.has(at) ? row.lines : [{ ...row, at }],
  );
  return (
    <section
      tabIndex={0}
      aria-label={label}
      className="max-h-[70vh] overflow-auto rounded-lg border border-line bg-surface py-3 font-mono text-xs leading-5"
    >
      {rows.slice(0, shown).map((row, index) =>
        row.kind === "fold" ? (
          <button
            key={`fold ${row.at}`}
            type="button"
            onClick={() => setOpened((known) => new Set(known).add(row.at))}
            className="block w-full bg-raised px-4 text-left font-sans text-muted hover:text-text"
          >
            {words.versions.equalLines(row.lines.length)}
          </button>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines only come in where one unfolds
          <pre key={index} className={`px-4 ${CLASSES[row.kind]}`}>
            {MARKS[row.kind]} {row.text}
          </pre>
        ),
      )}
      {shown < rows.length && (
        <button
          type="button"
          onClick={() => setShown((lines) => lines + LINES_SHOWN)}
          className="px-4 py-1 text-accent hover:underline"
        >
          {words.versions.moreLines(rows.length - shown)}
        </button>
      )}
    </section>
  );
}
