import { fdatasyncSync } from "node:fs";
import { main } from "@portico/server";
import { systemClock } from "../../../packages/server/src/platform/clock/clock.ts";
import type { Order } from "./service-process.ts";

/*
 * The service with a clock that can be set, and a disk that can fail, by messages from the parent process.
 */
let aheadMs = 0;
let failsNextSync = false;

process.on("message", (order: Order) => {
  if ("aheadMs" in order) aheadMs = order.aheadMs;
  else failsNextSync = true;
});
// Without the run there is nobody to stop it.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel must not keep the service alive.
process.channel?.unref();

function sync(fd: number): void {
  if (failsNextSync) {
    failsNextSync = false;
    throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  }
  fdatasyncSync(fd);
}

await main(process.env, {
  clock: { now: () => systemClock.now() + aheadMs, monotonic: () => systemClock.monotonic() },
  syncing: { now: sync, later: async ({ fd }) => sync(fd) },
});
