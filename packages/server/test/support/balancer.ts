import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { send } from "./http.ts";
import { portOf } from "./receiver.ts";

/**
 * A plain TCP balancer on loopback: each connection goes to the next process in turn, and to the one after it when that
 * accepts none. It knows nothing of HTTP and passes bytes and ends on as they come.
 */
export class Balancer {
  readonly #server = createServer({ allowHalfOpen: true }, (near) => this.#accept(near));
  readonly #sockets = new Set<Socket>();
  #urls: readonly string[] = [];
  /** Processes that have said that they are not ready. */
  readonly #unready = new Set<string>();
  #checks: NodeJS.Timeout | undefined;
  #turn = 0;

  private constructor() {}

  /** Starts one in front of the processes at `urls`. */
  static async before(urls: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.use(urls);
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  /** Has new connections go to these processes; those that are open stay. */
  use(urls: readonly string[]): void {
    this.#urls = urls;
  }

  /** Asks the processes whether they are ready; those that are not get no new connections while others are. */
  check(everyMs: number): void {
    this.#checks = setInterval(() => {
      for (const url of this.#urls) {
        send(`${url}/readyz`).then(
          ({ status }) => (status === 200 ? this.#unready.delete(url) : this.#unready.add(url)),
          () => this.#unready.add(url),
        );
      }
    }, everyMs);
  }

  /** Breaks all connections and accepts no more. */
  close(): void {
    clearInterval(this.#checks);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(near: Socket): void {
    this.#keep(near);
    const first = this.#turn++;
    const ready = this.#urls.filter((url) => !this.#unready.has(url));
    const urls = ready.length > 0 ? ready : this.#urls;
    this.#pass(
      near,
      urls.map((_, index) => urls[(first + index) % urls.length] ?? ""),
    );
  }

  /** @param urls the processes that have not refused the connection. */
  #pass(near: Socket, [url, ...others]: readonly string[]): void {
    if (url === undefined) {
      near.resetAndDestroy();
      return;
    }
    const { hostname, port } = new URL(url);
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    this.#keep(far);
    const refused = () => this.#pass(near, others);
    far.once("error", refused);
    far.once("connect", () => {
      far.off("error", refused);
      near.pipe(far);
      far.pipe(near);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on("error", () => other.resetAndDestroy());
        one.on("close", () => other.destroySoon());
      }
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }
}
