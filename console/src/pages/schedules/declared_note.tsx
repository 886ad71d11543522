import { FlowLink } from "#/parts/target_link.tsx";
import { words } from "#/words/words.ts";

/** Says in which flow's file something is declared: only there it can be changed and deleted. */
export function DeclaredNote({ flow }: { flow: string | undefined }) {
  return flow === undefined ? null : (
    <p className="text-sm text-muted">
      {words.schedules.declaredHelp} <FlowLink path={flow} />
    </p>
  );
}
