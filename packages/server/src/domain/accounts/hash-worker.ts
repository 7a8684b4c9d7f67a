import { argon2Sync } from "node:crypto";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { HashOrder } from "./hash-thread.ts";

/** Lower than that of the threads that serve calls. */
const NICENESS = 5;

/** In one lane; the length in bytes. */
const SHAPE = { parallelism: 1, tagLength: 32 };

// Elsewhere this would lower the priority of the whole process; Linux has one for each thread.
if (process.platform === "linux") setPriority(NICENESS);

parentPort?.on("message", ({ password, salt, cost }: HashOrder) => {
  const asked = { message: Buffer.from(password, "utf8"), nonce: salt, memory: cost.memoryKib, passes: cost.passes };
  parentPort?.postMessage(argon2Sync("argon2id", { ...SHAPE, ...asked }));
});
