import { sql } from "kysely";
import type { Db, Dialect, Schema } from "../storage/schema.ts";
import { boxPrefix } from "./secret-box.ts";

/** The tables with a column `secret_box`. */
type SealedTable = "credentials" | "subscriptions" | "developer_factors";

/** One sealed value: its row's key, and its box. */
export interface SealedRow {
  key: readonly string[];
  /** The box. */
  stored: string;
}

/** The sealed values of one table, for what treats all of them alike. */
export interface SealedRows {
  /** What they are, in words for the operator. */
  readonly name: string;
  /** What the box of a row belongs to. */
  ownerOf(key: readonly string[]): string;
  /** What a row is called in words for the operator. */
  shown(key: readonly string[]): string;
  /** The next rows above `after`, or the first ones, in the order of their keys. */
  list(db: Db, after: readonly string[] | null, most: number): Promise<SealedRow[]>;
  /**
   * Locks those of the rows that nobody else has locked: who would wait for a caller could be in the circle of a deadlock,
   * which the caller might lose. All of them on SQLite, which has one writer.
   */
  lock(tx: Db, rows: readonly SealedRow[], dialect: Dialect): Promise<readonly SealedRow[]>;
  /** Replaces a box that has not changed since. */
  replace(tx: Db, row: SealedRow, box: string): Promise<void>;
  /** How many boxes do not name the key `keyId`. */
  countOthers(db: Db, keyId: string): Promise<number>;
}

/** The boxes of a table, whose rows are told apart by the columns `keys`, all of them texts. */
export function sealedRows({
  name,
  table,
  keys,
  ownerOf,
  shown = (key) => key.join(" "),
}: {
  name: string;
  table: SealedTable & keyof Schema;
  keys: readonly string[];
  ownerOf: SealedRows["ownerOf"];
  shown?: SealedRows["shown"];
}): SealedRows {
  const [from, box] = [sql.table(table), sql.ref("secret_box")];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  const rowOf = (row: Record<string, string>): SealedRow => ({
    key: keys.map((column) => row[column] ?? ""),
    stored: row.secret_box ?? "",
  });
  return {
    name,
    ownerOf,
    shown,
    list: async (db, after, most) => {
      const above = sql`(${columns}) > (${sql.join(after ?? keys.map(() => ""))})`;
      const query = sql<
        Record<string, string>
      >`select ${columns}, ${box} from ${from} where ${above} order by ${columns} limit ${most}`;
      return (await query.execute(db)).rows.map(rowOf);
    },
    lock: async (tx, rows, dialect) => {
      if (dialect === "sqlite") return rows;
      const found = sql.join(rows.map(({ key }) => sql`(${sql.join([...key])})`));
      const query = sql<
        Record<string, string>
      >`select ${columns}, ${box} from ${from} where (${columns}) in (${found}) for update skip locked`;
      return (await query.execute(tx)).rows.map(rowOf);
    },
    replace: async (tx, { key, stored }, is) => {
      const isRow = sql`(${columns}) = (${sql.join([...key])})`;
      await sql`update ${from} set secret_box = ${is} where ${isRow} and ${box} = ${stored}`.execute(tx);
    },
    countOthers: async (db, keyId) => {
      const prefix = boxPrefix(keyId);
      const isOther = sql`substr(${box}, 1, ${prefix.length}) <> ${prefix}`;
      const { rows } = await sql<{ count: number }>`select count(*) as count from ${from} where ${isOther}`.execute(db);
      return Number(rows[0]?.count ?? 0);
    },
  };
}
