import { Link } from "@tanstack/react-router";
import type { Run } from "#/api/types.ts";

const STYLE = "text-accent hover:underline";

/** The trigger that started a run, as it was called then, with a link to what has that path now. */
export function RunTrigger({ trigger: { kind, path } }: { trigger: NonNullable<Run["trigger"]> }) {
  return kind === "schedule" ? (
    <Link to="/schedules/$" params={{ _splat: path }} className={STYLE}>
      {path}
    </Link>
  ) : (
    <Link to="/triggers/$kind/$" params={{ kind, _splat: path }} className={STYLE}>
      {path}
    </Link>
  );
}
