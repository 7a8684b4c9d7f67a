import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { PAGES_FOLDER } from "@portico/web/pages";
import { pino } from "pino";
import { readBuiltPages } from "../../src/api/pages/built-pages.ts";
import type { ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import type { Clock } from "../../src/platform/clock/clock.ts";
import { loadConfig } from "../../src/platform/config/load-config.ts";
import { Serializers } from "../../src/platform/http/serializers.ts";
import { type Portico, startPortico } from "../../src/service/start.ts";
import type { StartParts } from "../../src/service/start-parts.ts";
import type { Engine, EngineInstance } from "./engines.ts";
import { CHEAP_HASHES } from "./hash-cost.ts";
import { keepConnections } from "./http.ts";
import { statementsOf } from "./statements.ts";
import { TestClock } from "./test-clock.ts";

/** The routes are the same in all worlds, and so are the pages. */
const serializers = new Serializers();
const builtPages = readBuiltPages(PAGES_FOLDER) ?? PAGES_FOLDER;

/** Without a subject of its own in them: a busy machine may take longer than calls have in production. */
const AMPLE_DEADLINES = {
  connectMs: 30_000,
  statementMs: 30_000,
  answerMs: 35_000,
  idleInTransactionMs: 30_000,
  transactionMs: 60_000,
  suspectMs: 4_500,
};

/**
 * Options of a world's processes. Hashes are cheap in a world's own database; `hashCost: undefined` makes them as
 * expensive as in production, for a database that is also opened by others.
 */
type WorldParts = Pick<StartParts, "network" | "deadlines" | "hashCost" | "pages" | "tracing">;

/** A service under test in this process, with a test clock. */
export class World {
  readonly clock = new TestClock();
  readonly logLines: string[] = [];
  /** For processes started from now on. */
  network: StartParts["network"];
  deadlines: StartParts["deadlines"];
  /** The same. */
  probe: StartParts["probe"];
  #hashCost: StartParts["hashCost"];
  #pages: StartParts["pages"];
  #tracing: StartParts["tracing"];
  readonly #engine: Engine;
  readonly #instance: EngineInstance;
  readonly #running: Portico[] = [];
  readonly #keeping: (() => void)[] = [];

  private constructor(engine: Engine, instance: EngineInstance) {
    this.#engine = engine;
    this.#instance = instance;
  }

  /** @param provision null: nothing is said of what is there. */
  static async create(
    engine: Engine,
    provision: ProvisioningFile | null,
    env: Record<string, string> = {},
    parts: WorldParts = {},
  ): Promise<World> {
    const instance = await engine.create("migrated");
    return await World.on(engine, instance, provision, env, { hashCost: CHEAP_HASHES, ...parts });
  }

  /** A world on an existing database, which the caller disposes of. */
  static async on(
    engine: Engine,
    instance: EngineInstance,
    provision: ProvisioningFile | null,
    env: Record<string, string> = {},
    { network, deadlines, hashCost, pages, tracing }: WorldParts = {},
  ): Promise<World> {
    const file = join(instance.env.PORTICO_DATA_DIR ?? "", "provision.json");
    if (provision !== null) writeFileSync(file, JSON.stringify(provision));
    Object.assign(instance.env, { PORTICO_PORT: "0", ...(provision && { PORTICO_PROVISION: file }), ...env });
    const world = new World(engine, instance);
    world.network = network;
    world.deadlines = deadlines;
    world.#hashCost = hashCost;
    world.#pages = pages;
    world.#tracing = tracing;
    await world.start();
    return world;
  }

  /** The configuration of its processes. */
  get env(): Record<string, string> {
    return this.#instance.env;
  }

  /** The first process. */
  get portico(): Portico {
    const [first] = this.#running;
    if (first === undefined) throw new Error("the service under test is not running");
    return first;
  }

  /** All its processes. */
  get all(): readonly Portico[] {
    return this.#running;
  }

  get url(): string {
    return this.portico.url;
  }

  /**
   * Starts one more process on the same database; on the embedded engine only one can run.
   *
   * @param clock that of its machine.
   */
  async start(clock: Clock = this.clock): Promise<Portico> {
    const log = pino({ level: "debug" }, { write: (line: string) => this.logLines.push(line) });
    const portico = await startPortico(loadConfig(this.env), {
      clock,
      log,
      ...(this.env.PORTICO_DATABASE_URL && { databaseNow: async () => this.clock.database() }),
      ...(this.network && { network: this.network }),
      deadlines: this.deadlines ?? AMPLE_DEADLINES,
      observeSql: statementsOf(this.#engine.name),
      ...(this.probe && { probe: this.probe }),
      pages: this.#pages ?? builtPages,
      ...(this.#tracing && { tracing: this.#tracing }),
      ...(this.#hashCost && { hashCost: this.#hashCost }),
      serializers,
    });
    this.#running.push(portico);
    // One that limits its connections ends those that are idle.
    if (this.env.PORTICO_LIMITS_CONNECTIONS === undefined) this.#keeping.push(keepConnections(portico.url));
    return portico;
  }

  /** Stops all its processes and starts one. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    for (const end of this.#keeping.splice(0)) end();
    for (const portico of this.#running.splice(0)) await portico.stop();
  }

  async dispose(): Promise<void> {
    await this.stop();
    await this.#instance.dispose();
  }
}

/** A world that exists during the enclosing suite. */
export function suiteWorld(
  engine: Engine,
  provision: ProvisioningFile,
  env?: Record<string, string>,
  network?: StartParts["network"],
): () => World {
  let world: World | null = null;
  before(async () => {
    if (engine.missing === null) world = await World.create(engine, provision, env, network && { network });
  });
  after(() => world?.dispose());
  return () => {
    if (world === null) throw new Error("the world is there only while the suite's tests run");
    return world;
  };
}
