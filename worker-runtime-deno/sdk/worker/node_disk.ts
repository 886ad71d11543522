/** Files of this process, through which blobs travel. */

import { constants } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { Disk } from "../../src/host.ts";

/** Other users share the temporary folder, and may read no blob in it. */
const PRIVATE = 0o600;

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

export const nodeDisk: Disk = {
  temporaryFolder: () => tmpdir(),
  open: async (path, way) => {
    const file = await (way === "read" ? open(path, "r") : open(path, NEW, PRIVATE));
    return {
      read: async (buffer) => (await file.read(buffer)).bytesRead,
      write: async (bytes) => (await file.write(bytes)).bytesWritten,
      close: async () => await file.close(),
    };
  },
  link: async (from, to) => await link(from, to),
  remove: async (path) => await rm(path, { force: true }),
};
