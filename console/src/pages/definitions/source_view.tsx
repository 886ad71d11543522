import { CopyButton } from "#/parts/copy_button.tsx";

/** The text of a definition or a script, with the numbers of its lines. */
export function SourceView({ text, label }: { text: string; label: string }) {
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
        <pre className="pr-10">{text}</pre>
      </section>
    </div>
  );
}
