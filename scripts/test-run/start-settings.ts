import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The directory of this checkout. */
export const OWN_CHECKOUT = new URL("../../", import.meta.url);

/**
 * Variables and flags of Node by which `npm start` of a checkout bounds what V8, malloc and Node's reader of TypeScript take
 * beside what the service needs.
 */
export function startSettings(checkout = OWN_CHECKOUT): { env: Record<string, string>; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync(new URL("package.json", checkout), "utf8"));
  const words: string[] = scripts.start.split(" ");
  const node = words.indexOf("node");
  const variables = words.slice(0, node).filter((word) => word.includes("="));
  const flags = words.slice(node + 1).filter((word) => word.startsWith("--"));
  const env: Record<string, string> = Object.fromEntries(variables.map((word) => word.split("=")));
  const { NODE_COMPILE_CACHE: cache } = env;
  // npm runs it in the checkout, others elsewhere.
  return {
    env: cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: fileURLToPath(new URL(cache, checkout)) },
    flags,
  };
}
