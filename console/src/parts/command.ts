/** Writes a word for a POSIX shell. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What a command acts on: a workspace of the gateway at an address. */
export interface CommandPlace {
  readonly server: string;
  readonly workspace: string;
}

/** The names of the address that the `millrace` program calls unless told otherwise. */
const SERVERS_DEFAULT = ["http://localhost:8400", "http://127.0.0.1:8400", "http://[::1]:8400"];

/** Options that lead a command to a place; none for what the program assumes anyway. */
export function placeOptions({ server, workspace }: CommandPlace): readonly string[] {
  const address = server.replace(/\/+$/, "");
  return [
    ...(SERVERS_DEFAULT.includes(address) ? [] : ["--server", address]),
    ...(workspace === "default" ? [] : ["--workspace", workspace]),
  ];
}

/** Port of the scheduler, for workers, unless it is set otherwise. */
const SCHEDULER_PORT_DEFAULT = 8401;

/**
 * The command that starts a worker for the scheduler of a gateway, if that is on the same machine and has its usual port.
 *
 * @param needsToken whether workers must log in
 */
export function workerCommand(server: string, needsToken: boolean): string {
  const { hostname } = new URL(server);
  const isLocal = SERVERS_DEFAULT.some((address) => new URL(address).hostname === hostname);
  return [
    "./millrace",
    "worker",
    ...(isLocal ? [] : ["--scheduler", `${hostname}:${SCHEDULER_PORT_DEFAULT}`]),
    ...(needsToken ? ["--token-file", "worker.token"] : []),
  ]
    .map(shellWord)
    .join(" ");
}

/** The command of the `millrace` program that does the same as an action of the console. */
export function millraceCommand(place: CommandPlace, ...args: string[]): string {
  return ["./millrace", ...args, ...placeOptions(place)].map(shellWord).join(" ");
}

/** Options of a command that give an input, one for each field. */
export function inputOptions(input: Readonly<Record<string, unknown>>, option = "-i"): readonly string[] {
  return Object.entries(input).flatMap(([name, value]) => [option, `${name}=${fieldText(value)}`]);
}

/** The input that a text holds, as options; none while the text is no JSON object. */
export function inputTextOptions(text: string | undefined, option = "-i"): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? inputOptions(value as Record<string, unknown>, option) : [];
  } catch {
    return [];
  }
}

/** A text stays as it is, unless the command would read it as JSON. */
function fieldText(value: unknown): string {
  if (typeof value !== "string") {
    return JSON.stringify(value);
  }
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}
