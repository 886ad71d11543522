import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertEquals } from "../../src/testing/asserts.ts";
import type { Lease } from "../proto/millrace/worker/v1/session_pb.ts";
import { SharedFolders } from "./shared_folders.ts";

const LEASE = { groupId: "g", workspace: "default" } as Lease;

Deno.test("a folder is gone at once, and deleted when the worker has ended", async () => {
  const parent = mkdtempSync(join(tmpdir(), "millrace-test-"));
  try {
    const root = join(parent, "root");
    const folders = new SharedFolders(root);
    const folder = folders.hold(LEASE) ?? "";
    mkdirSync(join(folder, "deep"), { recursive: true });
    folders.end(["g", "other"]);
    assertEquals(existsSync(folder), false);
    assertEquals(folders.groups(), []);
    mkdirSync(folders.hold(LEASE) ?? "", { recursive: true });
    await folders.close();
    assertEquals(readdirSync(root), []);
  } finally {
    rmSync(parent, { recursive: true });
  }
});
