import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { DeployedVersion } from "#/api/types.ts";
import { DiffView } from "#/pages/definitions/diff_view.tsx";
import { textOfVersion, versionsQuery, versionTextQuery } from "#/pages/definitions/version_queries.ts";
import { Button } from "#/parts/button.tsx";
import { Loaded, LoadedPages } from "#/parts/loaded.tsx";
import { Rows, Tag } from "#/parts/rows.tsx";
import { TimeText } from "#/parts/time_text.tsx";
import { ActionCommandLine } from "#/shell/example_command.tsx";
import { useWorkspace } from "#/shell/workspace.ts";
import { words } from "#/words/words.ts";

interface Props {
  readonly kind: "flow" | "script";
  readonly path: string;
}

/** The versions to which a path has led, newest first, each with what it has changed. */
export function VersionsView({ kind, path }: Props) {
  const versions = useInfiniteQuery(versionsQuery(useWorkspace(), kind, path));
  return (
    <LoadedPages query={versions}>
      {(items: readonly DeployedVersion[]) =>
        items.length === 0 ? (
          <p className="text-sm text-muted">{words.versions.none}</p>
        ) : (
          <div className="space-y-3">
            <Rows label={words.versions.title}>
              {items.map((version, index) => (
                <Version key={version.number} kind={kind} path={path} version={version} before={items[index + 1]} />
              ))}
            </Rows>
            <ActionCommandLine args={[`${kind}s`, "versions", path]} />
          </div>
        )
      }
    </LoadedPages>
  );
}

interface VersionProps extends Props {
  readonly version: DeployedVersion;
  readonly before: DeployedVersion | undefined;
}

function Version({ kind, path, version, before }: VersionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="space-y-2 border-b border-line px-4 py-2.5 text-sm last:border-b-0">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="text-muted tabular-nums">{version.number}</span>
        <Link
          to={kind === "flow" ? "/flows/$" : "/scripts/$"}
          params={{ _splat: path }}
          search={{ tab: "source", hash: version.hash }}
          className="font-mono text-xs text-accent hover:underline"
        >
          {version.hash.slice(0, 12)}
        </Link>
        {version.current && <Tag tone="good">{words.versions.isCurrent}</Tag>}
        <TimeText time={version.deploy_time} />
        <span className="min-w-0 break-all">{version.actor}</span>
        <span className="min-w-0 flex-1 basis-40 break-words">{version.message}</span>
        {before !== undefined && (
          <Button kind="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {words.versions.whatChanged}
          </Button>
        )}
      </div>
      {isOpen && before !== undefined && <Change kind={kind} path={path} before={before.hash} after={version.hash} />}
    </li>
  );
}

function Change({ kind, path, before, after }: Props & { readonly before: string; readonly after: string }) {
  const workspace = useWorkspace();
  const old = useQuery(versionTextQuery(workspace, kind, path, before));
  const fresh = useQuery(versionTextQuery(workspace, kind, path, after));
  return (
    <Loaded query={old}>
      {(from) => (
        <Loaded query={fresh}>
          {(to) => (
            <DiffView before={textOfVersion(from)} after={textOfVersion(to)} label={words.versions.whatChanged} />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
