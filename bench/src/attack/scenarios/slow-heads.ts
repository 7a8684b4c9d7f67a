import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

const CONNECTIONS = 9_000;
/** Connections opened at once, and the pause after each: faster, this would be an attack by new connections alone. */
const AT_ONCE = 8;
const PAUSE_MS = 8;
/** Almost all that the head of a request may have. */
const HEAD = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${"a".repeat(15 * 1024)}`;
/** Every connection sends a byte in this time, by turns. */
const ROUND_MS = 2_000;
const TURN_MS = 20;

/** Strangers send the heads of requests byte by byte and never finish them; a connection that is closed is opened again. */
export const slowHeads: Scenario = {
  name: "slow-heads",
  what: `${CONNECTIONS} connections whose heads of 15 KiB go on byte by byte and never end`,
  engines: ["embedded", "distributed"],
  async attack({ port }, signal) {
    const open = new Set<Socket>();
    let [most, bytes] = [0, 0];
    const drip = async () => {
      while (!signal.aborted) {
        const startedMs = performance.now();
        const size = Math.ceil((open.size * TURN_MS) / ROUND_MS);
        for (const socket of [...open].slice(0, size)) {
          // To the end of the queue.
          open.delete(socket);
          open.add(socket);
          if (socket.write("a")) bytes++;
        }
        await sleep(Math.max(1, TURN_MS - (performance.now() - startedMs)));
      }
    };
    const [heads] = await Promise.all([
      keepBusy(AT_ONCE, signal, async () => {
        if (open.size >= CONNECTIONS) {
          await sleep(20);
          throw new Error("enough for now");
        }
        await beginHead(port, open);
        most = Math.max(most, open.size);
        await sleep(PAUSE_MS);
      }),
      drip(),
    ]);
    for (const socket of open) socket.destroy();
    return { heads, most, bytes };
  },
};

/** Opens a connection, which is in `open` until it is closed, and sends the beginning of a head. */
function beginHead(port: number, open: Set<Socket>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", reject).on("close", () => open.delete(socket));
    socket.resume();
    socket.on("connect", () => {
      open.add(socket);
      socket.write(HEAD);
      resolve();
    });
  });
}
