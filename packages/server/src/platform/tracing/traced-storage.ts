import type { Storage, Unit, Writes } from "../storage/storage.ts";
import type { Attributes, Tracing } from "./tracing.ts";

/**
 * A database whose writes are spans of the call that asks for them: from then until they are on disk. A unit that shares
 * its transaction with others runs as a part of its own call's trace.
 */
export function tracedStorage(storage: Storage, tracing: Tracing): Storage {
  const attributes: Attributes = {
    "db.system.name": storage.dialect === "sqlite" ? "sqlite" : "postgresql",
    "db.operation.name": "commit",
  };
  async function traced<Result>(unit: Unit<Result>, write: (unit: Unit<Result>) => Promise<Result>): Promise<Result> {
    const span = tracing.part("commit", attributes);
    if (span === null) return await write(unit);
    try {
      return await write(span.within(() => tracing.bound(unit)));
    } catch (error) {
      span.fail(error instanceof Error ? error.name : "Error");
      throw error;
    } finally {
      span.end();
    }
  }
  const writes: Writes = {
    write: (unit, lane) => traced(unit, (own) => storage.write(own, lane)),
    writeSelfContained: (unit, lane) => traced(unit, (own) => storage.writeSelfContained(own, lane)),
  };
  return {
    ...storage,
    ...writes,
    writeInStep: (unit, options) => traced(unit, (own) => storage.writeInStep(own, options)),
  };
}
