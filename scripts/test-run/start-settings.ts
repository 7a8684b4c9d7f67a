import { readFileSync } from "node:fs";

/** Variables and flags of Node by which `npm start` bounds what V8 and malloc take beside what the service needs. */
export function startSettings(): { env: Record<string, string>; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const words: string[] = scripts.start.split(" ");
  const env = words.indexOf("env");
  const node = words.indexOf("node");
  const flags = words.slice(node + 1).filter((word) => word.startsWith("--"));
  return { env: Object.fromEntries(words.slice(env + 1, node).map((word) => word.split("="))), flags };
}
