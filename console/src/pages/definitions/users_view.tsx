import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type User, usersOf } from "#/pages/definitions/users.ts";
import { schedulesQuery } from "#/pages/schedules/queries.ts";
import { KINDS } from "#/pages/triggers/kinds.ts";
import { triggersQuery } from "#/pages/triggers/queries.ts";
import { Loading, ProblemView } from "#/parts/problem_view.tsx";
import { Row, Rows, Tag } from "#/parts/rows.tsx";
import { FlowLink } from "#/parts/target_link.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly kind: "flow" | "script";
  readonly path: string;
  /** Paths of flows that name it. */
  readonly flows: readonly string[];
}

/** What starts or runs a flow or script: other flows, and the first thousand schedules and triggers of each kind. */
export function UsersView({ kind, path, flows }: Props) {
  const workspace = useWorkspace();
  const schedules = useQuery(schedulesQuery(workspace));
  const triggers = useQueries({ queries: KINDS.map((each) => triggersQuery(workspace, each)) });
  const all = [schedules, ...triggers];
  const failed = all.find((query) => query.data === undefined && query.error !== null);
  if (failed !== undefined) {
    return <ProblemView error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (all.some((query) => query.data === undefined)) {
    return <Loading />;
  }
  const users = usersOf(kind, path, {
    flows,
    schedules: schedules.data?.items ?? [],
    triggers: triggers.flatMap((query) => query.data?.items ?? []),
  });
  if (users.length === 0) {
    return <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">{words.users.none}</p>;
  }
  return (
    <Rows label={words.users.title}>
      {users.map((user) => (
        <Row key={`${user.kind} ${user.path}`} actions={<Tag>{words.users.kinds[user.kind]}</Tag>}>
          <UserLink user={user} />
        </Row>
      ))}
    </Rows>
  );
}

function UserLink({ user: { kind, path } }: { user: User }) {
  const style = "text-accent hover:underline";
  switch (kind) {
    case "flow":
      return <FlowLink path={path} />;
    case "schedule":
      return (
        <Link to="/schedules/$" params={{ _splat: path }} className={style}>
          {path}
        </Link>
      );
    default:
      return (
        <Link to="/triggers/$kind/$" params={{ kind, _splat: path }} className={style}>
          {path}
        </Link>
      );
  }
}
