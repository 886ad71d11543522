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
  show: (value) => Deno.inspect(value),
  exit: (code) => exit(code),
  inStacks: (address) => address,
};
