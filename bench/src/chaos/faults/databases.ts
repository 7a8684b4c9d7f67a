import type { FaultProxy } from "../../../../packages/server/test/support/fault-proxy.ts";
import type { Database, Site } from "../site.ts";
import { type Fault, possible } from "./fault.ts";

/** The exit code of a process that was started again while a database is away. */
const START_FAILED = 1;

/** Faults of the databases of a distributed service. */
export const DATABASE_FAULTS: readonly Fault[] = [
  { key: "postgres", title: "PostgreSQL" } as const,
  { key: "redis", title: "Redis" } as const,
].flatMap(({ key, title }): Fault[] => [
  {
    ...common(`${key}-restart`, `${title} is restarted`, [500, 2_000]),
    async begin(site) {
      await databaseOf(site, key).service.restart();
      return async () => {};
    },
  },
  {
    ...common(`${key}-silent`, `${title} stops answering without a sign`, [1_000, 8_000]),
    begin: async (site) => disturb(databaseOf(site, key).proxy, "silent"),
  },
  {
    ...common(`${key}-gone`, `${title} cannot be reached`, [500, 15_000]),
    begin: async (site) => disturb(databaseOf(site, key).proxy, "closed"),
  },
]);

function common(name: string, what: string, durationMs: [number, number]) {
  return { name, what, engines: ["distributed"], durationMs, endings: [START_FAILED], missing: possible } as const;
}

function databaseOf({ databases }: Site, key: "postgres" | "redis"): Database {
  if (databases === null) throw new Error("an embedded service has no databases");
  return databases[key];
}

function disturb(proxy: FaultProxy, mode: "silent" | "closed"): () => Promise<void> {
  proxy.set(mode);
  return async () => proxy.set("open");
}
