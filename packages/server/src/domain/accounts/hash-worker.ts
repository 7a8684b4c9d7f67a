import { argon2Sync } from "node:crypto";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { HashOrder } from "./hash-thread.ts";

/** Lower than that of the threads that serve calls. */
const NICENESS = 5;

/** OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

// Elsewhere this would lower the priority of the whole process; Linux has one for each thread.
if (process.platform === "linux") setPriority(NICENESS);

parentPort?.on("message", ({ password, salt }: HashOrder) => {
  parentPort?.postMessage(argon2Sync("argon2id", { ...COST, message: Buffer.from(password, "utf8"), nonce: salt }));
});
