import { Link } from "@tanstack/react-router";

const STYLE = "text-accent hover:underline";

/** What a schedule or trigger starts, with a link to its page; handlers have none. */
export function TargetLink({ run }: { run: unknown }) {
  const target = (run as { target?: Record<string, string> } | undefined)?.target ?? {};
  if (target.flow !== undefined) {
    return <FlowLink path={target.flow} />;
  }
  if (target.script !== undefined) {
    return (
      <Link to="/scripts/$" params={{ _splat: target.script }} className={STYLE}>
        {target.script}
      </Link>
    );
  }
  return <>{Object.values(target)[0] ?? ""}</>;
}

/** A flow, with a link to its page. */
export function FlowLink({ path }: { path: string }) {
  return (
    <Link to="/flows/$" params={{ _splat: path }} className={STYLE}>
      {path}
    </Link>
  );
}
