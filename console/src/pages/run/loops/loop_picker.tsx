import { useState } from "react";
import type { Run } from "#/api/types.ts";
import { nextFailed } from "#/pages/run/loops/loop_queries.ts";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly run: Run;
  readonly loop: string;
  /** Number of iterations that have begun. */
  readonly size: number;
  readonly failed: number;
  /** The iteration that is shown, or undefined if none is. */
  readonly current: number | undefined;
  readonly onPick: (number: number) => void;
}

const BUTTON = "min-h-7 rounded-md border border-line px-2 text-xs font-medium hover:bg-raised disabled:opacity-50";

/** Goes to an iteration of a large loop by its number, and to the next one that has failed. */
export function LoopPicker({ run, loop, size, failed, current, onPick }: Props) {
  const workspace = useWorkspace();
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const findFailed = async () => {
    setBusy(true);
    try {
      const after = await nextFailed(workspace, run, loop, (current ?? -1) + 1);
      const found = after ?? (await nextFailed(workspace, run, loop, 0));
      if (found !== undefined) {
        onPick(found);
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="flex items-center gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        const number = Number(text);
        if (text !== "" && Number.isInteger(number)) {
          onPick(Math.max(0, Math.min(number, size - 1)));
        }
      }}
    >
      <input
        type="number"
        min={0}
        max={Math.max(0, size - 1)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={words.loops.number}
        aria-label={words.loops.goTo(loop)}
        className="h-7 w-24 rounded-md border border-line bg-ground px-2 text-xs tabular-nums"
      />
      <button type="submit" className={BUTTON}>
        {words.loops.go}
      </button>
      {failed > 0 && (
        <button type="button" disabled={isBusy} onClick={() => void findFailed()} className={BUTTON}>
          {words.loops.nextFailed}
        </button>
      )}
    </form>
  );
}
