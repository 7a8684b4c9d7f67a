import { readFileSync } from "node:fs";

/** The directory of this checkout. */
export const OWN_CHECKOUT = new URL("../../", import.meta.url);

/**
 * Variables and flags of Node by which `npm start` of a checkout bounds what V8 and malloc take beside what the service
 * needs.
 */
export function startSettings(checkout = OWN_CHECKOUT): { env: Record<string, string>; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync(new URL("package.json", checkout), "utf8"));
  const words: string[] = scripts.start.split(" ");
  const node = words.indexOf("node");
  const variables = words.slice(0, node).filter((word) => word.includes("="));
  const flags = words.slice(node + 1).filter((word) => word.startsWith("--"));
  return { env: Object.fromEntries(variables.map((word) => word.split("="))), flags };
}
