import { millraceCommand, placeOptions, shellWord, workerCommand } from "#/parts/command.ts";
import { CommandLine } from "#/parts/copy_button.tsx";
import { root } from "#/root.ts";
import { useSession } from "#/shell/session.ts";
import { DEFAULT_WORKSPACE, useWorkspace } from "#/shell/workspace.ts";

/** Address of the gateway behind this page. */
const server = new URL(root, document.location.href).href;

/** A command to begin with, for the gateway and the workspace of the page. */
export function ExampleCommand({ command }: { command: string }) {
  const { name } = useWorkspace();
  return <CommandLine command={[command, ...placeOptions({ server, workspace: name }).map(shellWord)].join(" ")} />;
}

/** The command that starts a worker. */
export function WorkerCommand() {
  const { data } = useSession();
  return <CommandLine command={workerCommand(server, data !== undefined && data.principal.kind !== "local")} />;
}

/**
 * The command that does the same as an action.
 *
 * @param isShared whether it acts on the installation, so that the command takes no workspace
 */
export function ActionCommandLine({ args, isShared }: { args: readonly string[]; isShared?: boolean }) {
  const { name } = useWorkspace();
  const workspace = isShared === true ? DEFAULT_WORKSPACE : name;
  return <CommandLine command={millraceCommand({ server, workspace }, ...args)} />;
}
