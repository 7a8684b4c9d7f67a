import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as Type from "typebox";
import { Value } from "typebox/value";
import { ConfigError } from "../../config/config-error.ts";
import { writeWhole } from "../../disk/whole-file.ts";

const MOVED_FILE = "moved.json";

const MarkSchema = Type.Object({
  /** The same at the destination while the move is not complete. */
  moveId: Type.String(),
  /** Host and name of the destination, without user and password. */
  to: Type.String(),
  startedAt: Type.Number(),
  /** Null while the move is not complete. */
  completedAt: Type.Union([Type.Number(), Type.Null()]),
});

/** Says of a data directory that its store was moved, or is being moved, to PostgreSQL. */
export type MovedMark = Type.Static<typeof MarkSchema>;

/** @throws ConfigError when the file is there and is no mark: then nobody knows where the store is. */
export function readMovedMark(dataDir: string): MovedMark | null {
  const path = join(dataDir, MOVED_FILE);
  if (!existsSync(path)) return null;
  const mark = parse(readFileSync(path, "utf8"));
  if (!Value.Check(MarkSchema, mark))
    throw new ConfigError(`${path}, which says where the store was moved, is damaged`);
  return mark;
}

/** Writes the mark, whole or not at all. The caller holds the lock of the data directory. */
export async function writeMovedMark(dataDir: string, mark: MovedMark): Promise<void> {
  await writeWhole(join(dataDir, MOVED_FILE), `${JSON.stringify(mark, null, 2)}\n`);
}

/**
 * A store that was moved has no more than the past: what was written to it would be lost.
 *
 * @throws ConfigError that says where it went.
 */
export function refuseMoved(dataDir: string): void {
  const mark = readMovedMark(dataDir);
  if (mark === null) return;
  const { to, startedAt, completedAt } = mark;
  if (completedAt === null) {
    throw new ConfigError(
      `the store in ${dataDir} has been on its way to ${to} since ${iso(startedAt)}: run the same \`portico move\` again to ` +
        `complete it. To stay here instead, remove ${MOVED_FILE} and that database`,
    );
  }
  throw new ConfigError(
    `the store in ${dataDir} was moved to ${to} at ${iso(completedAt)}, and lives there: set PORTICO_DATABASE_URL and ` +
      "PORTICO_REDIS_URL, or another PORTICO_DATA_DIR for a new store",
  );
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
