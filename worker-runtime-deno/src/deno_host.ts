/** Deno as the program that runs the runtime. */

import { writeFrames } from "./frames.ts";
import type { Host } from "./host.ts";

/** Taken before user code can replace them. */
const { chdir, cwd, exit, umask } = Deno;
const writeStderr = Deno.stderr.writeSync.bind(Deno.stderr);

/** Environment variables as they were before user code changed them; undefined for those that were not there. */
const changed = new Map<string, string | undefined>();

/** Notes each change, also by `process.env`, since a look at all variables costs microseconds and further permissions. */
function watchEnvironment(): () => void {
  const { env } = Deno;
  const { get, set, delete: remove } = env;
  const note = (name: string): void => {
    if (!changed.has(name)) changed.set(name, get.call(env, name));
  };
  env.set = (name, value): void => {
    note(name);
    set.call(env, name, value);
  };
  env.delete = (name): void => {
    note(name);
    remove.call(env, name);
  };
  return () => {
    for (const [name, value] of changed) {
      if (value === undefined) remove.call(env, name);
      else set.call(env, name, value);
    }
    changed.clear();
  };
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? filesBelow(path) : [path];
  });
}

function keepUmask(): () => void {
  try {
    const kept = umask();
    return () => void umask(kept);
  } catch { // The script may not change it either.
    return () => {};
  }
}

export const denoHost: Host = {
  runtime: `deno ${Deno.version.deno}`,
  cwd,
  chdir,
  makeFolder: (path) => Deno.mkdirSync(path, { recursive: true }),
  variable: (name) => Deno.env.get(name),
  setVariable: (name, value) => Deno.env.set(name, value),
  removeVariable: (name) => Deno.env.delete(name),
  readText: (path) => Deno.readTextFile(path),
  filesBelow,
  disk: {
    temporaryFolder: () => Deno.env.get("TMPDIR") ?? "/tmp",
    open: async (path, way) => {
      const file = await Deno.open(path, way === "read" ? { read: true } : { write: true, createNew: true });
      return {
        read: (buffer) => file.read(buffer),
        write: (bytes) => file.write(bytes),
        close: () => Promise.resolve(file.close()),
      };
    },
    link: (from, to) => Deno.link(from, to),
    remove: async (path) => {
      try {
        await Deno.remove(path);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    },
  },
  writeRaw: (text) => writeFrames({ writeSync: writeStderr }, text),
  show: (value) => Deno.inspect(value),
  keepState: () => {
    const { exitCode } = Deno;
    return [watchEnvironment(), keepUmask(), () => void (Deno.exitCode = exitCode)];
  },
  exit: (code) => exit(code),
  inStacks: (address) => address,
};
