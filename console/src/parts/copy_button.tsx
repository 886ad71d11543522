import { useEffect, useState } from "react";
import { Icon } from "#/parts/icon.tsx";
import { words } from "#/words/words.ts";

/** Copies a text; without a secure context, in which browsers offer no clipboard, there is no button. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) {
      return;
    }
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (navigator.clipboard === undefined) {
    return null;
  }
  return (
    <button
      type="button"
      title={label ?? words.common.copy}
      aria-label={label ?? words.common.copy}
      className="inline-flex size-7 items-center justify-center rounded text-muted hover:bg-raised hover:text-text"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <Icon name={isCopied ? "succeeded" : "copy"} />
      <span className="sr-only" role="status">
        {isCopied ? words.common.copied : ""}
      </span>
    </button>
  );
}

/** A command that people may paste into a terminal. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className="flex items-center gap-1 rounded-md border border-line bg-raised py-1 pr-1 pl-3 text-left">
      <code className="min-w-0 flex-1 py-1 font-mono text-xs wrap-anywhere whitespace-pre-wrap text-text">
        {command}
      </code>
      <CopyButton text={command} />
    </div>
  );
}
