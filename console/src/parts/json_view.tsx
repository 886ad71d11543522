import { useMemo } from "react";
import { CopyButton } from "#/parts/copy_button.tsx";
import { jsonText } from "#/parts/json_text.ts";

const SHOWN_MAX = 200_000;

/** A JSON value as indented text, in which short arrays stand on one line. Large values are cut for the eye, but copied whole. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = useMemo(() => jsonText(value), [value]);
  const isCut = text.length > SHOWN_MAX;
  return (
    <div className="relative rounded-md border border-line bg-ground">
      <div className="absolute top-1 right-1">
        <CopyButton text={text} />
      </div>
      <section tabIndex={0} aria-label={label} className="max-h-96 overflow-auto">
        <pre className="p-3 pr-10 font-mono text-xs break-words whitespace-pre-wrap">
          {isCut ? `${text.slice(0, SHOWN_MAX)}…` : text}
        </pre>
      </section>
    </div>
  );
}
