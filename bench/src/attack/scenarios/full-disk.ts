import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { signRequest } from "@portico/protocol/signature";
import type { Probe, Scenario } from "../scenario.ts";

const READS_PER_SECOND = 100;
const PIECE = Buffer.alloc(1024 * 1024, 1);
const LAST_PIECE = Buffer.alloc(4096, 1);
const FILL_EVERY_MS = 100;
/** The service reserves disk space twenty seconds after its start. */
const SET_ASIDE_WITHIN_MS = 40_000;

/** Signed reads; the service must store the nonce of each. */
const reads: Probe = {
  name: "signed read",
  perSecond: READS_PER_SECOND,
  async open({ port, sender }) {
    const { path } = OPEN_ENDPOINTS.listInstallations;
    return async () => {
      const parts = { method: "GET", path, rawQuery: "", nonce: randomUUID(), timestamp: Date.now(), body: "" };
      const { headers } = signRequest({ ...sender, ...parts });
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.arrayBuffer();
    };
  },
};

/** Another program on the machine fills the disk, and takes any space that becomes free. */
export const fullDisk: Scenario = {
  name: "full-disk",
  what: "a stranger who fills the disk of the data directory to the last byte, and keeps it full (needs root)",
  engines: ["embedded"],
  smallDiskMib: 256,
  withoutSends: true,
  probes: [reads],
  async prepare({ dataDir }, progress) {
    progress("waiting until the service has set room aside");
    const deadline = performance.now() + SET_ASIDE_WITHIN_MS;
    while (!existsSync(join(dataDir, "ballast"))) {
      if (performance.now() > deadline) throw new Error("the service has set no room aside");
      await sleep(500);
    }
  },
  async attack({ dataDir, port }, signal) {
    const path = join(dataDir, "stranger");
    let [bytes, notReady] = [0, 0];
    {
      await using file = await open(path, "w");
      while (!signal.aborted) {
        bytes += await fill(file);
        if ((await fetch(`http://127.0.0.1:${port}/readyz`)).status === 503) notReady++;
        await sleep(FILL_EVERY_MS);
      }
    }
    await rm(path);
    return { "MiB written": Math.round(bytes / PIECE.length), "times not ready": notReady };
  },
};

/** Appends until there is no space, then in small pieces; returns the number of bytes written. */
async function fill(file: Awaited<ReturnType<typeof open>>): Promise<number> {
  let bytes = 0;
  for (const piece of [PIECE, LAST_PIECE]) {
    try {
      for (;;) {
        const { bytesWritten } = await file.write(piece);
        bytes += bytesWritten;
        if (bytesWritten < piece.length) break;
      }
    } catch {
      // The disk is full.
    }
  }
  return bytes;
}
