import { createHash } from "node:crypto";

/** A value of a row as text; null for none. */
export type Cell = string | null;

/** The values of a row as one text, each with its length in bytes before it, so that no two rows have the same text. */
export function rowText(cells: readonly Cell[]): string {
  return cells.map((cell) => (cell === null ? "-" : `${Buffer.byteLength(cell)}:${cell}`)).join("");
}

/** SHA-256 of {@link rowText} in hex. `row_digest` of migration 0028 computes the same in either database. */
export function rowDigest(cells: readonly Cell[]): string {
  return createHash("sha256").update(rowText(cells)).digest("hex");
}
