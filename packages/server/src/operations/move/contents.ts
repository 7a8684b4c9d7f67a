import { createHash } from "node:crypto";
import type Database from "better-sqlite3";
import type pg from "pg";
import { rowText } from "../../platform/storage/row-digest.ts";
import type { MovedTable } from "./moved-tables.ts";
import { readRows } from "./source-rows.ts";

/** What a table holds: the number of its rows, and a hash that does not depend on their order. */
export interface Contents {
  rows: number;
  /** 64 hex digits: the SHA-256 of each row, as four numbers of 64 bits, added up. */
  hash: string;
}

const PARTS = [0, 8, 16, 24];
const MASK = 2n ** 64n - 1n;
/** Rows after which the signal is asked, and others have a turn. */
const TURN = 2_000;

/** The contents of a table of the embedded store, as PostgreSQL is to have them. */
export async function contentsOfSource(
  source: Database.Database,
  table: MovedTable,
  signal?: AbortSignal,
): Promise<Contents & { replaced: number }> {
  const { rows, replaced } = readRows(source, table, null);
  const sums = PARTS.map(() => 0n);
  let count = 0;
  for (const row of rows) {
    const digest = createHash("sha256").update(rowText(row)).digest();
    for (const [index, at] of PARTS.entries()) sums[index] = (sums[index] ?? 0n) + digest.readBigInt64BE(at);
    if (++count % TURN === 0) {
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    }
  }
  return { rows: count, hash: hexOf(sums), replaced: replaced() };
}

/** The contents of a table at PostgreSQL, which hashes them itself. */
export async function contentsOfTarget(target: pg.Client, { name, columns }: MovedTable): Promise<Contents> {
  const cells = columns.map(({ name: column }) => {
    const text = `"${column}"::text`;
    return `case when "${column}" is null then '-' else octet_length(${text}) || ':' || ${text} end`;
  });
  const sums = PARTS.map((at, index) => {
    const part = `substring(digest from ${at + 1} for 8)`;
    return `coalesce(sum(('x' || encode(${part}, 'hex'))::bit(64)::bigint), 0)::text as "${index}"`;
  });
  const { rows } = await target.query<{ count: string; [part: string]: string }>(
    `select count(*)::text as count, ${sums.join(", ")}
    from (select sha256(convert_to(concat(${cells.join(", ")}), 'UTF8')) as digest from "${name}") as hashed`,
  );
  const [row] = rows;
  return { rows: Number(row?.count ?? 0), hash: hexOf(PARTS.map((_, index) => BigInt(row?.[index] ?? 0))) };
}

function hexOf(sums: readonly bigint[]): string {
  return sums.map((sum) => (sum & MASK).toString(16).padStart(16, "0")).join("");
}
