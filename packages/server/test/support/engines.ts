import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import pg from "pg";

/** In tests one member may send many messages while the clock stands still. */
const GENEROUS = { PORTICO_LIMITS_MEMBER_MESSAGES_PER_MINUTE: "1000000" };

/** The configuration of a service with its own database, and the function that removes it. */
export interface EngineInstance {
  env: Record<string, string>;
  dispose(): Promise<void>;
}

/** One of the two ways to run the service. */
export interface Engine {
  name: "sqlite" | "postgres";
  /** The reason why its tests cannot run here; null when they can. */
  missing: string | null;
  /**
   * Creates an empty database and data directory, or with "migrated" those of a service that was started and stopped.
   */
  create(prepared?: "migrated"): Promise<EngineInstance>;
}

const {
  PORTICO_TEST_POSTGRES_URL: postgresUrl,
  PORTICO_TEST_REDIS_URL: redisUrl,
  // A migrated file and a migrated database to copy; without them each service migrates its own database.
  PORTICO_TEST_SQLITE_TEMPLATE: sqliteTemplate,
  PORTICO_TEST_POSTGRES_TEMPLATE: postgresTemplate,
  // Where the data directories of "migrated" services are; the others are on a disk, as for users.
  PORTICO_TEST_DATA: dataBase = tmpdir(),
} = process.env;

export const sqlite: Engine = {
  name: "sqlite",
  missing: null,
  create: async (prepared) => {
    const dataDir = makeDataDir(prepared);
    if (prepared && sqliteTemplate) copyFileSync(sqliteTemplate, join(dataDir, basename(sqliteTemplate)));
    return {
      env: { ...GENEROUS, PORTICO_DATA_DIR: dataDir },
      dispose: async () => rmSync(dataDir, { recursive: true }),
    };
  },
};

export const postgres: Engine = {
  name: "postgres",
  missing: missingServices(),
  create: async (prepared) => {
    const dataDir = makeDataDir(prepared);
    const database = `portico_${randomBytes(6).toString("hex")}`;
    // Copied as files: row by row through the log, the other way, takes three times as long.
    const template = prepared && postgresTemplate ? ` template ${postgresTemplate} strategy file_copy` : "";
    await administer(`create database ${database}${template}`);
    const url = new URL(postgresUrl ?? "");
    url.pathname = `/${database}`;
    return {
      env: {
        ...GENEROUS,
        PORTICO_DATA_DIR: dataDir,
        PORTICO_DATABASE_URL: url.href,
        PORTICO_REDIS_URL: redisUrl ?? "",
        PORTICO_MASTER_KEY: randomBytes(32).toString("hex"),
      },
      dispose: async () => {
        await administer(`drop database ${database} with (force)`);
        rmSync(dataDir, { recursive: true });
      },
    };
  },
};

type Define = (name: string, run: (t: TestContext) => Promise<void> | void) => void;

/** Defines the same tests for both engines; when one cannot run, each of its tests is reported as skipped. */
export function onBothEngines(title: string, define: (engine: Engine, test: Define) => void): void {
  for (const engine of [sqlite, postgres]) {
    describe(`${title} (${engine.name})`, () => {
      define(engine, (name, run) => test(name, { skip: engine.missing ?? false }, run));
    });
  }
}

function missingServices(): string | null {
  const missing = [
    ...(postgresUrl ? [] : ["PostgreSQL (PORTICO_TEST_POSTGRES_URL)"]),
    ...(redisUrl ? [] : ["Redis (PORTICO_TEST_REDIS_URL)"]),
  ];
  return missing.length === 0 ? null : `needs ${missing.join(" and ")}; npm test starts them`;
}

function makeDataDir(prepared: "migrated" | undefined): string {
  return mkdtempSync(join(prepared ? dataBase : tmpdir(), "portico-test-"));
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
