import { HostileWriters, type MakeMessage } from "../hostile-messages.ts";
import type { Scenario } from "../scenario.ts";

/** Length of a message; a body may have 256 KiB. */
const BYTES = 255 * 1024;
const OBJECT_KEYS = 100;

const writers = new HostileWriters("keys");

/** Messages whose JSON has as many keys as possible, and keys that make a careless parser slow. */
export const collidingKeys: Scenario = {
  name: "colliding-keys",
  what: `${writers.callers} whose messages of 255 KiB are full of different, colliding, integer-like and __proto__ keys`,
  engines: ["embedded", "distributed"],
  world: writers.world,
  attack: (site, signal) => writers.attack(site, signal, KINDS, KINDS),
};

/** Never used twice, so that nothing known about keys is of use. */
let keys = 0;
const newKey = () => (keys++).toString(36);

const KINDS: MakeMessage[] = [
  // One object with very many keys.
  post(() => `{${fill(() => `"${newKey()}":1`)}}`),
  // Very many objects, each of its own shape.
  post(() => `{"a":[${fill(() => `{"${newKey()}":1}`)}]}`),
  post(() => `{"a":[${fill(() => `{${Array.from({ length: OBJECT_KEYS }, () => `"${newKey()}":1`).join(",")}}`)}]}`),
  // Array indices with the same low bits.
  post(() => `{${fill((n) => `"${1_000_000_000 + n * 32_768}":1`)}}`),
  // Keys that are equal for a hash of their ends and length.
  post(
    () => `{${fill((n) => `"Aa${n.toString(2).padStart(15, "0").replaceAll("0", "BB").replaceAll("1", "Aa")}":1`)}}`,
  ),
  post(() => `{${fill(() => '"__proto__":{"__proto__":{"polluted":1}}')}}`),
  // Beside the members of a message.
  (head) => `${head}"msgType":"text","content":{"text":"x"},${fill(() => `"${newKey()}":1`)}}`,
];

function post(content: () => string): MakeMessage {
  return (head) => `${head}"msgType":"post","content":${content()}}`;
}

/** Items separated by commas, as many as a message can hold. */
function fill(item: (n: number) => string): string {
  const items: string[] = [];
  for (let length = 0, n = 0; length < BYTES - 1_024; n++) {
    const next = item(n);
    items.push(next);
    length += next.length + 1;
  }
  return items.join(",");
}
