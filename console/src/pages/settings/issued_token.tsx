import { CommandLine } from "#/parts/copy_button.tsx";
import { words } from "#/words/words.ts";

/** A token that was just issued: its text is shown this once. */
export function IssuedToken({ secret }: { secret: string }) {
  return (
    <div className="space-y-2">
      <p className="text-waiting">{words.settings.shownOnce}</p>
      <CommandLine command={secret} />
    </div>
  );
}
