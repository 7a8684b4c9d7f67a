import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * What happens to connections: they work; nothing passes, and nobody is told, as when a host dies; or they are broken
 * and refused, as when a server is down.
 */
export type ProxyMode = "open" | "silent" | "closed";

/** A TCP proxy on loopback between the service and a database, whose connections can be disturbed. */
export class FaultProxy {
  readonly #target: URL;
  readonly #server = createServer((near) => this.#pass(near));
  readonly #open = new Set<Socket>();
  #mode: ProxyMode = "open";
  /** Connections from before a silence never work again. */
  #era = 0;

  private constructor(target: URL) {
    this.#target = target;
  }

  /** Starts a proxy for the server at `url`. */
  static async before(url: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(url));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The server's address through the proxy. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy is not listening");
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${address.port}`;
    return url.href;
  }

  set(mode: ProxyMode): void {
    this.#mode = mode;
    if (mode === "silent") this.#era++;
    if (mode === "closed") this.#breakAll();
  }

  close(): void {
    this.#server.close();
    this.#breakAll();
  }

  #breakAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #pass(near: Socket): void {
    if (this.#mode === "closed") {
      near.destroy();
      return;
    }
    const era = this.#era;
    const passes = () => this.#mode === "open" && era === this.#era;
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(from);
      from.on("data", (bytes) => {
        if (passes()) to.write(bytes);
      });
      from.on("error", () => {});
      from.on("close", () => {
        this.#open.delete(from);
        to.destroy();
      });
    }
  }
}
