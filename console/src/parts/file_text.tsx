import { CopyButton } from "#/parts/copy_button.tsx";
import { words } from "#/words/words.ts";

/** The text of a file that a command reads. */
export function FileText({ name, text }: { name: string; text: string }) {
  return (
    <div className="rounded-md border border-line bg-raised">
      <p className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3 text-xs text-muted">
        {words.common.fileOfCommand(name)}
        <CopyButton text={text} />
      </p>
      <section tabIndex={0} aria-label={name} className="max-h-48 overflow-auto">
        <pre className="p-3 font-mono text-xs break-words whitespace-pre-wrap">{text}</pre>
      </section>
    </div>
  );
}
