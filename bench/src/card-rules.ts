import { setImmediate as nextTurn } from "node:timers/promises";
import { type CardRule, checkCard } from "@portico/protocol/cards";
import { quantileOf } from "./load/latencies.ts";
import type { Run } from "./run.ts";
import { galleryCard, nestedCardJson, ORDINARY_CARD, reportCard } from "./sample-cards.ts";

/** A card for timing the rules. */
export interface CardCase {
  name: string;
  /** The JSON text. */
  json: string;
  /** The rule that the card breaks, if any. */
  broken: CardRule | null;
}

const KIB = 1024;
/** The name of the card that the promised time is for. */
export const LARGEST_CARD = "64 KiB, 200 components";

export const CARD_CASES: CardCase[] = [
  { name: "1 KiB, 10 components", json: report(1, KIB), broken: null },
  { name: "10 KiB, 100 components", json: report(ORDINARY_CARD.sections, ORDINARY_CARD.bytes), broken: null },
  { name: LARGEST_CARD, json: report(20, 64 * KIB), broken: null },
  { name: "64 KiB, 199 images", json: gallery(199, 64 * KIB), broken: null },
  { name: "5,000 nested containers", json: nestedCardJson(5_000), broken: "depth" },
];

/** Times in milliseconds. */
interface Timing {
  p50Ms: number;
  p99Ms: number;
}

export interface CardTiming {
  name: string;
  bytes: number;
  check: Timing;
  /** Times of JSON.parse for the same text, as the baseline. */
  parse: Timing;
}

const WARM_UP_ITERATIONS = 500;
export const ITERATIONS = 3_000;
/** Pause between iterations, so that the process can collect garbage. */
const ITERATIONS_AT_ONCE = 100;

/** Times the card rules in this process, each time with a freshly parsed card, as in the service. */
export async function timeCardRules(
  { progress }: Pick<Run, "progress">,
  iterations = ITERATIONS,
): Promise<CardTiming[]> {
  const timings: CardTiming[] = [];
  for (const card of CARD_CASES) {
    progress(`rules: ${card.name}`);
    await timeCase(card, WARM_UP_ITERATIONS);
    timings.push(await timeCase(card, iterations));
  }
  return timings;
}

async function timeCase({ name, json, broken }: CardCase, iterations: number): Promise<CardTiming> {
  const parseMs = new Float64Array(iterations);
  const checkMs = new Float64Array(iterations);
  for (let index = 0; index < iterations; index++) {
    if (index % ITERATIONS_AT_ONCE === 0) await nextTurn();
    const startedMs = performance.now();
    const card: unknown = JSON.parse(json);
    const parsedMs = performance.now();
    const { failure } = checkCard(card);
    checkMs[index] = performance.now() - parsedMs;
    parseMs[index] = parsedMs - startedMs;
    if ((failure?.rule ?? null) !== broken) throw new Error(`${name}: the rules found ${failure?.rule}`);
  }
  return { name, bytes: Buffer.byteLength(json), check: timingOf(checkMs), parse: timingOf(parseMs) };
}

function timingOf(timesMs: Float64Array): Timing {
  timesMs.sort();
  return { p50Ms: quantileOf(timesMs, 0.5), p99Ms: quantileOf(timesMs, 0.99) };
}

function report(sections: number, bytes: number): string {
  return JSON.stringify(reportCard("Build passed", { sections, bytes }));
}

function gallery(images: number, bytes: number): string {
  return JSON.stringify(galleryCard("Screenshots", { images, bytes }));
}
