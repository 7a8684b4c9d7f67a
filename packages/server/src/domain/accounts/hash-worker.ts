import { argon2Sync } from "node:crypto";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { HashOrder } from "./hash-thread.ts";

/** A lower priority than that of the threads that serve calls. */
const NICENESS = 5;

/** One lane; the tag length in bytes. */
const SHAPE = { parallelism: 1, tagLength: 32 };

// Linux has a priority per thread. On other systems this would lower the priority of the whole process.
if (process.platform === "linux") setPriority(NICENESS);

parentPort?.on("message", ({ password, salt, cost }: HashOrder) => {
  const asked = { message: Buffer.from(password, "utf8"), nonce: salt, memory: cost.memoryKib, passes: cost.passes };
  parentPort?.postMessage(argon2Sync("argon2id", { ...SHAPE, ...asked }));
});
