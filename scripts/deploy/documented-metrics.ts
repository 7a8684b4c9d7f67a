import { readFileSync } from "node:fs";
import { join } from "node:path";

const GUIDE = join(import.meta.dirname, "../../docs/operations.md");

/** The metrics that docs/operations.md lists, with their types and the labels that it names. */
export function documentedMetrics(): ReadonlyMap<string, { type: string; words: string }> {
  const rows = readFileSync(GUIDE, "utf8").matchAll(/^\| `(\w+)` \| (gauge|counter|histogram) \| (.*) \|$/gm);
  return new Map([...rows].map(([, name = "", type = "", words = ""]) => [name, { type, words }]));
}
