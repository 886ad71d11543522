/** Deno as the program that runs the runtime. */

import type { Host } from "./host.ts";

/** Taken before user code can replace them. */
const exit = Deno.exit;

export const denoHost: Host = {
  runtime: `deno ${Deno.version.deno}`,
  cwd: () => Deno.cwd(),
  chdir: (path) => Deno.chdir(path),
  makeFolder: (path) => Deno.mkdirSync(path, { recursive: true }),
  variable: (name) => Deno.env.get(name),
  removeVariable: (name) => Deno.env.delete(name),
  readText: (path) => Deno.readTextFile(path),
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
  show: (value) => Deno.inspect(value),
  exit: (code) => exit(code),
  inStacks: (address) => address,
};
