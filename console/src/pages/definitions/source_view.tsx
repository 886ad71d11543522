import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { CodeLanguage } from "#/pages/editor/languages.ts";
import { CopyButton } from "#/parts/copy_button.tsx";
import { loadCode } from "#/shell/code.ts";

/** Characters of the longest text that is colored. */
const COLORED_LENGTH_MAX = 200_000;

interface Props {
  readonly text: string;
  readonly label: string;
  readonly language: CodeLanguage;
}

/** The text of a definition or a script, with the numbers of its lines. */
export function SourceView({ text, label, language }: Props) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <div className="relative overflow-hidden rounded-lg border border-line bg-surface">
      <div className="absolute top-1 right-1">
        <CopyButton text={text} />
      </div>
      <section
        tabIndex={0}
        aria-label={label}
        className="flex max-h-[70vh] overflow-auto py-3 font-mono text-xs leading-5"
      >
        <pre aria-hidden="true" className="sticky left-0 bg-surface pr-4 pl-4 text-right text-muted select-none">
          {lines.map((_, index) => index + 1).join("\n")}
        </pre>
        <pre className="pr-10">
          {language === "text" || text.length > COLORED_LENGTH_MAX ? text : <Code text={text} language={language} />}
        </pre>
      </section>
    </div>
  );
}

/** The text, which gets its colors as soon as the code for them is there. */
function Code({ text, language }: { text: string; language: Exclude<CodeLanguage, "text"> }) {
  const { data: colored } = useQuery({
    queryKey: ["code", "colored"],
    queryFn: () => loadCode(() => import("#/pages/editor/colored.ts").then((module) => module.colored)),
    networkMode: "always",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pieces = useMemo(() => colored?.(text, language), [colored, text, language]);
  if (pieces === undefined) {
    return text;
  }
  return pieces.map((piece, index) =>
    piece.classes === "" ? (
      piece.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
      <span key={index} className={piece.classes}>
        {piece.text}
      </span>
    ),
  );
}
