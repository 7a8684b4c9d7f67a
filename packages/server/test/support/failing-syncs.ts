import { existsSync, fdatasyncSync } from "node:fs";
import { main } from "../../src/index.ts";

/*
 * Starts the service with a disk that fails to sync the database's log once the file named by PORTICO_TEST_FAIL_SYNCS
 * exists. After one failure it succeeds again, as disks do.
 */
const file = process.env.PORTICO_TEST_FAIL_SYNCS ?? "";
let failed = false;

function sync(fd: number): void {
  if (!failed && existsSync(file)) {
    failed = true;
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  }
  fdatasyncSync(fd);
}

await main(process.env, { syncing: { now: sync, later: async (handle) => sync(handle.fd) } });
