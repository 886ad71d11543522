import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { words } from "#/words/words.ts";

/** Says that a tab shows only the selected step, and leads back to the whole run. */
export function OnlyStep({ stepKey, onClear }: { stepKey: string; onClear: () => void }) {
  const shownKey = useShownKey();
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="min-w-0 text-muted">
        {words.run.onlyStep} <code className="font-mono text-xs break-all text-text">{shownKey(stepKey)}</code>
      </span>
      <button type="button" onClick={onClear} className="text-accent hover:underline">
        {words.run.wholeRun}
      </button>
    </p>
  );
}
