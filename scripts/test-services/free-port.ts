import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ranges from which Linux (32768 up) and macOS (49152 up) take the local ports of outgoing connections: a port
// in there could be taken by any client while its server restarts.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const ATTEMPTS_MAX = 50;

/** A TCP port of 127.0.0.1 that nothing listens on. Throws when it finds none in a bounded number of tries. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port found between ${FIRST_PORT} and ${LAST_PORT}`);
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
