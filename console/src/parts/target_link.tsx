import { Link } from "@tanstack/react-router";

/** What a schedule or trigger starts, with a link to its page; handlers have none. */
export function TargetLink({ run }: { run: unknown }) {
  const target = (run as { target?: Record<string, string> } | undefined)?.target ?? {};
  const className = "text-accent hover:underline";
  if (target.flow !== undefined) {
    return (
      <Link to="/flows/$" params={{ _splat: target.flow }} className={className}>
        {target.flow}
      </Link>
    );
  }
  if (target.script !== undefined) {
    return (
      <Link to="/scripts/$" params={{ _splat: target.script }} className={className}>
        {target.script}
      </Link>
    );
  }
  return <>{Object.values(target)[0] ?? ""}</>;
}
