import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * A TCP proxy on loopback that can go silent, like a host that dies or a firewall that forgets its connections:
 * existing connections pass nothing in either direction, and neither side is told. New connections work.
 */
export class MuteProxy {
  readonly #target: URL;
  readonly #server = createServer((near) => this.#pass(near));
  readonly #open = new Set<Socket>();
  /** Connections with a lower number are silent. */
  #silentBefore = 0;
  #count = 0;
  /** The number of connections so far. */
  get connections(): number {
    return this.#count;
  }

  private constructor(target: URL) {
    this.#target = target;
  }

  /** Starts a proxy for the service at `url`. */
  static async before(url: string): Promise<MuteProxy> {
    const proxy = new MuteProxy(new URL(url));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The service's address through the proxy. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy is not listening");
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${address.port}`;
    return url.href;
  }

  /** Silences the existing connections. */
  silence(): void {
    this.#silentBefore = this.#count;
  }

  /** Breaks all connections and accepts no more. */
  close(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #pass(near: Socket): void {
    const number = this.#count++;
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(from);
      from.on("data", (bytes) => {
        if (number >= this.#silentBefore) to.write(bytes);
      });
      from.on("error", () => {});
      from.on("close", () => {
        this.#open.delete(from);
        if (number >= this.#silentBefore) to.destroy();
      });
    }
  }
}
