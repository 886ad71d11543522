/** Lets a process of Bun that has waited look like one that was started for its script. */

import { Bun, process } from "./bun_runtime.ts";
import type { ScriptMessage } from "./spare.ts";

/** Place of the script in the arguments of a process that was started for it. */
const SCRIPT_ARGUMENT = 2;

const os = process.getBuiltinModule("node:os");

/** Takes over arguments, working folder and environment of the script. */
export function takeIdentity(script: ScriptMessage): void {
  process.argv[SCRIPT_ARGUMENT] = script.path;
  process.chdir(script.home);
  process.env["HOME"] = script.home;
  process.env["PWD"] = script.home;
  if (script.files !== undefined) process.env["MILLRACE_FILES"] = script.files;
  showHome(script.home);
  giveEnvironment();
}

/** Bun reads the home folder from the environment with which it has started. */
function showHome(home: string): void {
  const { userInfo } = os;
  os.homedir = (): string => home;
  os.userInfo = (...args): { readonly homedir: string } => ({ ...userInfo(...args), homedir: home });
}

/** Programs get the environment with which Bun has started, unless another one is given. */
function giveEnvironment(): void {
  const { spawn, spawnSync } = Bun;
  const withEnvironment = (args: unknown[]): unknown[] => {
    const [command, options] = args;
    return Array.isArray(command)
      ? [command, { env: { ...process.env }, ...(options as object | undefined) }]
      : [{ env: { ...process.env }, ...(command as object) }];
  };
  Bun.spawn = (...args) => Reflect.apply(spawn, Bun, withEnvironment(args));
  Bun.spawnSync = (...args) => Reflect.apply(spawnSync, Bun, withEnvironment(args));
}
