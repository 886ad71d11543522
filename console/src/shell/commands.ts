import type { IconName } from "#/parts/icon.tsx";

/** Something that the palette offers. */
export interface Command {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly act: () => void;
}

const SHOWN_MAX = 50;

/** The commands whose names contain all words of the text, in any case; those that begin with it come first. */
export function matching<T extends { readonly name: string }>(commands: readonly T[], text: string): readonly T[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (name: string) => (name.toLowerCase().startsWith(wanted[0] ?? "") ? 0 : 1);
  return commands
    .filter((command) => wanted.every((word) => command.name.toLowerCase().includes(word)))
    .sort((one, other) => rank(one.name) - rank(other.name))
    .slice(0, SHOWN_MAX);
}
