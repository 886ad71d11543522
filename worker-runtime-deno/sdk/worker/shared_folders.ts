/** Folders that the jobs of a group share on this worker. */

import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Lease } from "../proto/millrace/worker/v1/session_pb.ts";

/** Most groups whose folders a worker holds. */
const FOLDERS_MAX = 10_000;

const NAME = /^([0-9a-f]{16})-(\d+)-/;

/**
 * Folders `ROOT/WORKER/GROUP`, where GROUP is a hash that also counts the lost sessions: a job of a lost session may
 * still run when the next attempt begins here.
 *
 * They are deleted when the scheduler says so, when the session is lost, and when the worker ends. WORKER names machine
 * and process, so that the next worker can delete what a killed one has left. A large folder takes long to delete, and the
 * event loop also answers the scheduler, so the loop only renames it.
 */
export class SharedFolders {
  readonly #root: string;
  readonly #machine = hash(hostname()).slice(0, 16);
  readonly #worker = `${this.#machine}-${process.pid}-${randomUUID()}`;
  readonly #held = new Map<string, string>();
  readonly #deletions = new Set<Promise<void>>();
  #sessionsLost = 0;
  #ended = 0;
  #hasRoot = false;

  constructor(root = join(tmpdir(), `millrace-shared-node-${userId()}`)) {
    this.#root = root;
  }

  /**
   * Returns the folder for a job, which may not exist yet; undefined for a job outside of groups.
   *
   * @throws {Error} There can be none.
   */
  hold(lease: Lease): string | undefined {
    const { groupId, workspace } = lease;
    if (groupId === "") return undefined;
    const held = this.#held.get(groupId);
    if (held !== undefined) return held;
    if (this.#held.size >= FOLDERS_MAX) throw new Error(`The worker holds ${FOLDERS_MAX} shared folders already.`);
    this.#takeRoot();
    const name = hash(`${workspace}\0${groupId}\0${this.#sessionsLost}`).slice(0, 32);
    const folder = join(this.#root, this.#worker, name);
    this.#held.set(groupId, folder);
    return folder;
  }

  /** Returns the groups whose folders are held. */
  groups(): string[] {
    return [...this.#held.keys()];
  }

  /** Deletes the folders of these groups. */
  end(groups: readonly string[]): void {
    for (const group of groups) {
      const folder = this.#held.get(group);
      this.#held.delete(group);
      if (folder !== undefined) this.#delete(folder);
    }
  }

  /** Deletes all folders, because the session is lost. */
  endAll(): void {
    this.end(this.groups());
    this.#sessionsLost++;
  }

  /** Deletes everything of this worker. */
  async close(): Promise<void> {
    this.endAll();
    await Promise.all(this.#deletions);
    if (this.#hasRoot) await remove(join(this.#root, this.#worker));
    this.#hasRoot = false;
  }

  /** Deletes a folder, which is gone at once for everybody else. */
  #delete(folder: string): void {
    const ended = `${folder}-ended-${this.#ended++}`;
    try {
      renameSync(folder, ended);
    } catch {
      return; // No job has used it.
    }
    this.#removeLater(ended);
  }

  #removeLater(folder: string): void {
    const deletion: Promise<void> = remove(folder).finally(() => this.#deletions.delete(deletion));
    this.#deletions.add(deletion);
  }

  /** Makes the folder of all workers at the first group, and deletes what killed workers have left. */
  #takeRoot(): void {
    if (this.#hasRoot) return;
    mkdirSync(this.#root, { mode: 0o700, recursive: true });
    const status = lstatSync(this.#root);
    if (!status.isDirectory() || (status.uid !== userId() && process.platform !== "win32")) {
      throw new Error(`${this.#root} is no folder of this user: delete it, or set TMPDIR.`);
    }
    for (const name of readdirSync(this.#root)) {
      const [, machine, pid] = NAME.exec(name) ?? [];
      if (machine === this.#machine && !isAlive(Number(pid))) this.#removeLater(join(this.#root, name));
    }
    this.#hasRoot = true;
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function userId(): number {
  return process.getuid?.() ?? 0;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Deletes a folder; what stays, the next worker tries again. */
async function remove(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    // A job of a lost session may still write there.
  }
}
