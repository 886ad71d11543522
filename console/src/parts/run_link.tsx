import { Link } from "@tanstack/react-router";

/** A link to a run by its id. */
export function RunLink({ id }: { id: string }) {
  return (
    <Link to="/runs/$id" params={{ id }} className="min-w-0 font-mono text-xs break-all text-accent hover:underline">
      {id}
    </Link>
  );
}
