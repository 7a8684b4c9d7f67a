import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/**
 * A TCP proxy on loopback that can go silent: as when a host dies or a firewall forgets its connections, nothing passes on
 * those there are, in either direction, and nobody is told. New ones are taken and work.
 */
export class MuteProxy {
  readonly #target: URL;
  readonly #server = createServer((near) => this.#pass(near));
  readonly #open = new Set<Socket>();
  /** Connections made before this one are silent. */
  #silentBefore = 0;
  #count = 0;
  /** Connections that have been made. */
  get connections(): number {
    return this.#count;
  }

  private constructor(target: URL) {
    this.#target = target;
  }

  /** Starts one before the service at `url`. */
  static async before(url: string): Promise<MuteProxy> {
    const proxy = new MuteProxy(new URL(url));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** The service's address by way of the proxy. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy is not listening");
    const url = new URL(this.#target);
    url.host = `127.0.0.1:${address.port}`;
    return url.href;
  }

  /** Lets nothing more pass on the connections there are. */
  silence(): void {
    this.#silentBefore = this.#count;
  }

  /** Breaks all connections, and takes no more. */
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
