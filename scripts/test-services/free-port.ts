import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ranges for local ports of outgoing connections (Linux from 32768, macOS from 49152): a client could take a
// port in those ranges while its server restarts.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const ATTEMPTS_MAX = 50;

/** Finds a TCP port of 127.0.0.1 on which nothing listens. Throws when a bounded number of tries finds none. */
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
