/** What the runtime needs of the program that runs it: Deno, or Bun. */

/** An open file. */
export interface HostFile {
  /** Fills the buffer from its begin on; resolves to the number of bytes, and to null or 0 at the end of the file. */
  read(buffer: Uint8Array): Promise<number | null>;
  /** Resolves to the number of bytes that were written. */
  write(bytes: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

/** Files, through which blobs travel. */
export interface Disk {
  /** Folder that the process shares with its worker. */
  temporaryFolder(): string;
  /** Opens a file for reading, or a new one for writing. */
  open(path: string, way: "read" | "new"): Promise<HostFile>;
  /** Gives a file a second name; fails if the file system or the permissions do not allow it. */
  link(from: string, to: string): Promise<void>;
  /** Removes a file; does nothing if there is none. */
  remove(path: string): Promise<void>;
}

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
  setVariable(name: string, value: string): void;
  removeVariable(name: string): void;
  readText(path: string): Promise<string>;
  /** Paths of all files below a folder. */
  filesBelow(folder: string): readonly string[];
  readonly disk: Disk;
  /** Writes to the descriptor that programs inherit, past everything by which the runtime captures output. */
  writeRaw(text: string): void;
  /** Shows any value to people. */
  show(value: unknown): string;
  /** How stacks name the file or folder with this address. */
  inStacks(address: string): string;
  /** Keeps environment, umask and the like as they are; each of the functions restores one of them. */
  keepState(): readonly (() => void)[];
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
