import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * What happens to connections: they work; nothing passes in either direction, and neither side is told, as when a host
 * dies; or they are broken and refused, as when a server is down.
 */
export type ProxyMode = "open" | "silent" | "closed";

/** A TCP proxy on loopback between the service and a server it needs, whose connections can be disturbed. */
export class FaultProxy {
  readonly #target: URL;
  readonly #server = createServer((near) => this.#pass(near));
  readonly #sockets = new Set<Socket>();
  /** Sockets whose other side has ended in silence. */
  readonly #orphans = new Set<Socket>();
  #mode: ProxyMode = "open";
  /** Connections with a lower number are silent for ever, like those that a firewall has forgotten. */
  #silentBefore = 0;
  #count = 0;

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

  /** The number of connections so far. */
  get connections(): number {
    return this.#count;
  }

  /** Silences the existing connections for ever. New ones work. */
  silence(): void {
    this.#silentBefore = this.#count;
  }

  /**
   * Changes what happens to all connections. Those that were silent once stay silent; the server learns at the end of
   * the silence which of them have been given up, so that they do not use up its places.
   */
  set(mode: ProxyMode): void {
    this.#mode = mode;
    if (mode === "silent") this.silence();
    if (mode === "closed") this.#breakAll();
    if (mode === "open") for (const socket of this.#orphans) socket.destroy();
  }

  /** Breaks all connections and accepts no more. */
  close(): void {
    this.#server.close();
    this.#breakAll();
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(near: Socket): void {
    if (this.#mode === "closed") {
      near.destroy();
      return;
    }
    const number = this.#count++;
    // One that arrives during a silence stays silent too: bytes that were dropped never come again.
    if (this.#mode === "silent") this.silence();
    const passes = () => number >= this.#silentBefore;
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes) => {
        if (passes()) to.write(bytes);
      });
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        this.#orphans.delete(from);
        if (passes()) to.destroy();
        else this.#orphans.add(to);
      });
    }
  }
}
