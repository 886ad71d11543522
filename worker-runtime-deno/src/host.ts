/** What the runtime needs of the program that runs it: Deno, or Bun. */

/** Operations that each program has under another name. */
export interface Host {
  /** The program and its version, such as `deno 2.9.6`. */
  readonly runtime: string;
  cwd(): string;
  chdir(path: string): void;
  /** Creates a folder and those above it; does nothing if it is there. */
  makeFolder(path: string): void;
  /** Value of an environment variable. */
  variable(name: string): string | undefined;
  removeVariable(name: string): void;
  readText(path: string): Promise<string>;
  /** Shows any value to people. */
  show(value: unknown): string;
  /** How stacks name the file or folder with this address. */
  inStacks(address: string): string;
  /** Ends the process. */
  exit(code: number): never;
}

let current: Host | undefined;

/** Must be called before anything else of the runtime. */
export function setHost(value: Host): void {
  current = value;
}

export function host(): Host {
  if (current === undefined) throw new Error("The runtime has not been told which program runs it.");
  return current;
}
