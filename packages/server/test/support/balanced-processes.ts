import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import { credentialsOf, MESSAGES, textBody } from "./acme.ts";
import { Balancer } from "./balancer.ts";
import { type EngineInstance, postgres } from "./engines.ts";
import { type Answer, type SignedSending, sendSigned } from "./http.ts";
import { type ServerProcess, startProcess } from "./process.ts";

const PROGRAM = fileURLToPath(new URL("clock-file-service.ts", import.meta.url));

/** Processes of the service on one PostgreSQL and one Redis, behind a balancer, with clocks that a test sets ahead. */
export class BalancedProcesses {
  readonly balancer: Balancer;
  readonly instance: EngineInstance;
  readonly #env: Record<string, string>;
  readonly #clockFile: string;
  readonly #processes: ServerProcess[];
  #aheadMs = 0;

  private constructor(
    instance: EngineInstance,
    env: Record<string, string>,
    clockFile: string,
    processes: ServerProcess[],
    balancer: Balancer,
  ) {
    this.instance = instance;
    this.#env = env;
    this.#clockFile = clockFile;
    this.#processes = processes;
    this.balancer = balancer;
  }

  /** Starts `count` processes; everything is closed with `opened`. */
  static async start(
    count: number,
    provision: ProvisioningFile,
    more: Record<string, string>,
    opened: AsyncDisposableStack,
  ): Promise<BalancedProcesses> {
    const instance = opened.adopt(await postgres.create("migrated"), (made) => made.dispose());
    const inDataDir = (name: string) => join(instance.env.PORTICO_DATA_DIR ?? "", name);
    writeFileSync(inDataDir("provision.json"), JSON.stringify(provision));
    writeFileSync(inDataDir("clock"), "0");
    const env = {
      ...instance.env,
      ...{ PORTICO_PORT: "0", PORTICO_PROVISION: inDataDir("provision.json"), PORTICO_LOG_LEVEL: "warn" },
      PORTICO_TEST_CLOCK: inDataDir("clock"),
      ...more,
    };
    const processes: ServerProcess[] = [];
    opened.defer(async () => {
      await Promise.all(processes.map((each) => each.end("SIGKILL")));
    });
    const started = await Promise.all(Array.from({ length: count }, () => startProcess(env, PROGRAM)));
    processes.push(...started);
    const urls = processes.map(({ url }) => url);
    const balancer = opened.adopt(await Balancer.before(urls), (open) => open.close());
    return new BalancedProcesses(instance, env, inDataDir("clock"), processes, balancer);
  }

  get all(): readonly ServerProcess[] {
    return this.#processes;
  }

  /** Where the balancer is. */
  get url(): string {
    return this.balancer.url;
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Sets the clocks of all processes ahead by `ms`. */
  turn(ms: number): void {
    this.#aheadMs += ms;
    // Renamed, so that no process reads half of it.
    writeFileSync(`${this.#clockFile}.new`, String(this.#aheadMs));
    renameSync(`${this.#clockFile}.new`, this.#clockFile);
  }

  /** Sets the clocks to the begin of a minute, so that what is counted by the minute is in one. */
  beginMinute(): void {
    this.turn(60_000 - (this.now() % 60_000));
  }

  /** Kills a process; the balancer finds nobody there. */
  async kill(index: number): Promise<void> {
    await this.#processes[index]?.end("SIGKILL");
  }

  /** Starts another process in the place of one that has ended. */
  async replace(index: number): Promise<ServerProcess> {
    const started = await startProcess(this.#env, PROGRAM);
    this.#processes[index] = started;
    this.balancer.use(this.#processes.map(({ url }) => url));
    return started;
  }

  /**
   * Starts another process beside one, and then stops that one; the balancer is told of the new one alone, and has to find
   * out that the old one is gone. Resolves with the exit code of the old one.
   */
  async replaceInOrder(index: number): Promise<number | NodeJS.Signals | undefined> {
    const old = this.#processes[index];
    const urls = this.#processes.map(({ url }) => url);
    const started = await startProcess(this.#env, PROGRAM);
    this.#processes[index] = started;
    this.balancer.use([...urls, started.url]);
    return await old?.end("SIGTERM");
  }

  /** A signed call, by default through the balancer. */
  call(appId: string, sending: Partial<SignedSending> & { target: string }, url = this.url): Promise<Answer> {
    return sendSigned(url, credentialsOf(appId), { timestamp: this.now(), ...sending });
  }

  /** Sends a text to the team, by default through the balancer. */
  send(appId: string, other: Record<string, unknown> = {}, url = this.url): Promise<Answer> {
    const body = textBody(randomUUID(), other);
    return this.call(appId, { method: "POST", target: MESSAGES, body }, url);
  }
}
