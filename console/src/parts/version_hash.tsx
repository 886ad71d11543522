import { CopyButton } from "#/parts/copy_button.tsx";

/** Digits of a hash that people compare by eye. */
const SHOWN = 12;

/** The hash of a version: its beginning, and all of it to copy. */
export function VersionHash({ hash }: { hash: string | undefined }) {
  return hash === undefined ? null : (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-xs" title={hash}>
        {hash.slice(0, SHOWN)}
      </code>
      <CopyButton text={hash} />
    </span>
  );
}
