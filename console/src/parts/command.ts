/** Writes a word for a POSIX shell. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The command of the `millrace` program that does the same as an action of the console. */
export function millraceCommand(workspace: string, ...args: string[]): string {
  const place = workspace === "default" ? [] : ["--workspace", workspace];
  return ["./millrace", ...args, ...place].map(shellWord).join(" ");
}
