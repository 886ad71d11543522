import { useMemo } from "react";
import { diffLines } from "#/pages/definitions/diff.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly before: string;
  readonly after: string;
  readonly label: string;
  /** What is shown if the texts are equal. */
  readonly same?: string;
}

const MARKS = { same: " ", removed: "-", added: "+" } as const;
const CLASSES = {
  same: "",
  removed: "bg-failed-soft text-failed",
  added: "bg-succeeded-soft text-succeeded",
} as const;

/** What has changed between two versions of a text. */
export function DiffView({ before, after, label, same = words.versions.same }: Props) {
  const found = useMemo(() => diffLines(before, after), [before, after]);
  if (before === after) {
    return <p className="text-sm text-muted">{same}</p>;
  }
  return (
    <section
      tabIndex={0}
      aria-label={label}
      className="max-h-[70vh] overflow-auto rounded-lg border border-line bg-surface py-3 font-mono text-xs leading-5"
    >
      {found.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a comparison never move
        <pre key={index} className={`px-4 ${CLASSES[line.kind]}`}>
          {MARKS[line.kind]} {line.text}
        </pre>
      ))}
    </section>
  );
}
