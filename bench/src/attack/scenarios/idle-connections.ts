import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

/** More than the service accepts, so that it always has to close some. */
const CONNECTIONS = 11_000;
/** Connections opened at once, and the pause after each: faster, this would be an attack by new connections alone. */
const AT_ONCE = 8;
const PAUSE_MS = 4;
const CALL = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

/** Strangers keep connections open without using them; a connection that is closed is opened again. */
export const idleConnections: Scenario = {
  name: "idle-connections",
  what: `${CONNECTIONS} connections, more than allowed, that send nothing, or one call and then nothing`,
  engines: ["embedded", "distributed"],
  async attack({ port }, signal) {
    const open = new Set<Socket>();
    let [most, closed] = [0, 0];
    const connections = await keepBusy(AT_ONCE, signal, async (caller) => {
      if (open.size >= CONNECTIONS) {
        await sleep(20);
        throw new Error("enough for now");
      }
      await new Promise<void>((resolve, reject) => {
        const socket = connect(port, "127.0.0.1");
        open.add(socket);
        socket.on("error", reject).on("close", () => {
          if (open.delete(socket)) closed++;
        });
        socket.resume();
        socket.on("connect", () => {
          if (caller % 2 === 0) socket.write(CALL);
          resolve();
        });
      });
      most = Math.max(most, open.size);
      await sleep(PAUSE_MS);
    });
    const closedByService = closed;
    for (const socket of open) socket.destroy();
    return { connections, most, "closed by the service": closedByService };
  },
};
