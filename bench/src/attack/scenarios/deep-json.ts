import { CARD_LIMITS } from "@portico/protocol";
import { HostileWriters, type MakeMessage } from "../hostile-messages.ts";
import type { Scenario } from "../scenario.ts";

/** Length of a message; a body may have 256 KiB. */
const BYTES = 255 * 1024;
/** Length of what a card contains beside its envelope. */
const CARD_BYTES = CARD_LIMITS.jsonBytes - 1_024;

const writers = new HostileWriters("deep");

/** Messages whose JSON is as deep or as wide as possible, and cards with as many components and levels as allowed. */
export const deepJson: Scenario = {
  name: "deep-json",
  what: `${writers.callers} whose messages are 255 KiB of nested or wide JSON, and cards at their limits`,
  engines: ["embedded", "distributed"],
  world: writers.world,
  attack: (site, signal) => writers.attack(site, signal, [...posts(), ...cards()], posts()),
};

function posts(): MakeMessage[] {
  return [
    post(`{"a":${nested("[", "0", "]", BYTES)}}`),
    post(nested('{"a":', "0", "}", BYTES)),
    post(`{"a":${wide("{}", BYTES)}}`),
    post(`{"a":${wide("[[[]]]", BYTES)}}`),
    // Each key once, so that each object has a shape of its own.
    (head, number) => post(chain(number, BYTES))(head, number),
    // Not JSON, which only its end shows.
    post(nested("[", "0", "]", BYTES).slice(0, -1)),
  ];
}

function cards(): MakeMessage[] {
  return [
    card(components()),
    card(`{"tag":"chart","spec":${nested("[", "0", "]", CARD_BYTES)}}`),
    card(`{"tag":"table","rows":${wide("{}", CARD_BYTES)}}`),
    // Numbers whose spelling a double would not keep.
    card(`{"tag":"chart","spec":${wide("1.00000000000000000001", CARD_BYTES)}}`),
    (head, number) => card(`{"tag":"chart","spec":${chain(number, CARD_BYTES)}}`)(head, number),
  ];
}

function post(content: string): MakeMessage {
  return (head) => `${head}"msgType":"post","content":${content}}`;
}

function card(elements: string): MakeMessage {
  const json = `{"schema":"2.0","body":{"elements":[${elements}]}}`;
  return (head) => `${head}"msgType":"card","content":{"card":${json}}}`;
}

/** As many components and levels as a card may have. */
function components(): string {
  const containers = CARD_LIMITS.levels - 1;
  const leaves = CARD_LIMITS.components - containers;
  const text = "x".repeat(Math.floor(CARD_BYTES / leaves) - 100);
  const leaf = `{"tag":"button","url":"https://portico.example/","text":{"tag":"plain_text","content":"${text}"}}`;
  const inner = Array.from({ length: leaves }, () => leaf).join(",");
  return `${'{"tag":"interactive_container","elements":['.repeat(containers)}${inner}${"]}".repeat(containers)}`;
}

/** Nested as deep as `bytes` allow. */
function nested(open: string, inner: string, close: string, bytes: number): string {
  const depth = Math.floor((bytes - 1_024) / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
}

/** An array of as many items as `bytes` allow. */
function wide(item: string, bytes: number): string {
  const count = Math.floor((bytes - 1_024) / (item.length + 1));
  return `[${Array.from({ length: count }, () => item).join(",")}]`;
}

/** Nested objects whose keys occur only once in all messages. */
function chain(number: number, bytes: number): string {
  let opened = "";
  let depth = 0;
  while (opened.length + depth < bytes - 1_024) opened += `{"${number.toString(36)}_${(depth++).toString(36)}":`;
  return `${opened}0${"}".repeat(depth)}`;
}
