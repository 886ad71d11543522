import { Link } from "@tanstack/react-router";
import { words } from "#/words/words.ts";

interface Props {
  readonly from: "/flows/$" | "/scripts/$";
  /** Whether the page shows another version than the current one; undefined as long as nobody knows. */
  readonly isOther: boolean | undefined;
}

/** Says that a page shows the version that an address names, and leads to the current one. */
export function VersionNote({ from, isOther }: Props) {
  if (isOther !== true) {
    return null;
  }
  return (
    <p role="note" className="flex flex-wrap gap-x-3 rounded-md bg-waiting-soft px-3 py-2 text-sm text-waiting">
      <span>{words.versions.other}</span>
      <Link
        from={from}
        to={from}
        search={({ hash: _, ...rest }) => rest}
        className="font-medium underline underline-offset-2"
      >
        {words.versions.current}
      </Link>
    </p>
  );
}
