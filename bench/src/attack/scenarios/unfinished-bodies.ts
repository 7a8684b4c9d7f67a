import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { keepBusy } from "../keep-busy.ts";
import type { Scenario } from "../scenario.ts";

const CONNECTIONS = 3_000;
/** Connections opened at once. The scenario measures what open connections hold, not how fast they are opened. */
const AT_ONCE = 8;
const ANNOUNCED_BYTES = 255 * 1024;
const PATHS = [
  "/api/client/v1/conversations/group:g_bench/messages",
  "/api/desk/v1/apps/app_desk/sessions/1/messages",
  "/api/client/v1/auth/login",
];
/** The whole body except its end, of the size that a sign-in accepts. */
const BODIES = PATHS.map((path) => Buffer.alloc(path.endsWith("login") ? 8_000 : ANNOUNCED_BYTES - 1, "x"));

/** Strangers post bodies without a token and never finish them; a connection that is closed is opened again. */
export const unfinishedBodies: Scenario = {
  name: "unfinished-bodies",
  what: `${CONNECTIONS} posts of 255 KiB without a token that are never finished`,
  engines: ["embedded", "distributed"],
  async attack({ port }, signal) {
    const open = new Set<Socket>();
    let most = 0;
    const posts = await keepBusy(AT_ONCE, signal, async (caller) => {
      if (open.size >= CONNECTIONS) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return;
      }
      const socket = connect(port, "127.0.0.1");
      open.add(socket);
      most = Math.max(most, open.size);
      socket.on("error", () => {}).on("close", () => open.delete(socket));
      socket.resume();
      await once(socket, "connect");
      const which = caller % PATHS.length;
      const length = which === 2 ? 8_192 : ANNOUNCED_BYTES;
      const type = "Content-Type: application/json";
      socket.write(`POST ${PATHS[which]} HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${length}\r\n\r\n`);
      socket.write(BODIES[which] ?? "");
    });
    for (const socket of open) socket.destroy();
    return { posts, most };
  },
};
