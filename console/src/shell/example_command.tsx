import { CommandLine } from "#/parts/copy_button.tsx";
import { DEFAULT_WORKSPACE, useWorkspace } from "#/shell/workspace.ts";

/** A command to begin with, for the workspace of the page. */
export function ExampleCommand({ command }: { command: string }) {
  const { name } = useWorkspace();
  return <CommandLine command={name === DEFAULT_WORKSPACE ? command : `${command} --workspace ${name}`} />;
}
