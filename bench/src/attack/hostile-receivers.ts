import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** How a receiver answers a request over a connection. It may go on until the connection is closed. */
type Answering = (socket: Socket) => void;

const OK = "HTTP/1.1 200 OK\r\n";
const PIECE = Buffer.alloc(64 * 1024, "x");
const DRIP_EVERY_MS = 200;
/** Zeros that take, compressed, about as many bytes as the service reads of an answer. */
const BOMB_BYTES = 62 * 1024 * 1024;

let bomb: Buffer | undefined;

/** Ways to answer, by name. */
export const HOSTILE_ANSWERS: Readonly<Record<string, Answering>> = {
  hangs: () => {},
  resets: (socket) => void socket.resetAndDestroy(),
  "drips-head": (socket) => drip(socket, `${OK}X-A: `),
  // The head says that all is well, so the circuit stays closed.
  "drips-body": (socket) => drip(socket, `${OK}Content-Length: 1000000\r\n\r\n`),
  "endless-body": (socket) => flood(socket, `${OK}Transfer-Encoding: chunked\r\n\r\n10000\r\n`, PIECE),
  "huge-head": (socket) => flood(socket, `${OK}X-A: `, PIECE),
  "many-interim": (socket) =>
    flood(socket, "", Buffer.from("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".repeat(1_000))),
  bomb: (socket) => {
    bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES));
    socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
    socket.write(bomb);
  },
};

/** Receivers that misbehave, one for each of {@link HOSTILE_ANSWERS}. */
export class HostileReceivers implements Disposable {
  /** Requests so far. */
  requests = 0;
  readonly #open = new Set<{ destroy(): void }>();

  /** Starts the one that answers by `answer`; returns its address. */
  async start(answer: Answering): Promise<string> {
    const server = createServer((socket) => {
      this.#open.add(socket);
      socket.on("error", () => {}).on("close", () => this.#open.delete(socket));
      // The head and the body of a request may come apart, but seldom do.
      socket.on("data", (chunk) => {
        if (!chunk.toString("latin1", 0, 5).startsWith("POST ")) return;
        this.requests++;
        answer(socket);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.#open.add({ destroy: () => server.close() });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  [Symbol.dispose](): void {
    for (const one of this.#open) one.destroy();
  }
}

function drip(socket: Socket, beginning: string): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write("x"), DRIP_EVERY_MS);
  socket.once("close", () => clearInterval(timer));
}

function flood(socket: Socket, beginning: string, piece: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  socket.write(beginning);
  more();
}
