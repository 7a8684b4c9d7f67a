import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkFigures } from "../beside/work.ts";
import type { Phase } from "../phase.ts";
import { judgeWork } from "./works-report.ts";

const phase = (perSecond: number, cpuMs: number): Phase => {
  const shares = { serverCpu: 1, serverCpuMsPerCall: cpuMs, generatorCpu: 0.4 };
  return { answered: 1, perSecond, p50Ms: 1, p99Ms: 1, ...shares };
};
const posts: WorkFigures = { name: "posts", promised: 0.7, beside: "signed sends", pacedPerSecond: null, rounds: [] };
const rounds = (rate: number) => [{ phase: phase(rate, 1), base: phase(1_000, 1) }];

test("a kind of call is measured by its ratio", () => {
  const lineAt = (rate: number) => judgeWork("distributed", { ...posts, rounds: rounds(rate) }).line;
  assert.equal(lineAt(700), "distributed, posts: 0.70 of signed sends (promised 0.7): kept");
  assert.match(lineAt(690), /: not kept$/);
});

test("a call at a fixed rate is measured by its processor time", () => {
  const paced = { ...posts, promised: 0.5, pacedPerSecond: 250 };
  const lineAt = (cpuMs: number) =>
    judgeWork("embedded", { ...paced, rounds: [{ phase: phase(250, cpuMs), base: phase(250, 1) }] }).line;
  assert.match(lineAt(2), /0\.50 of signed sends at 250\/s, by CPU \(promised 0\.5\): kept$/);
  assert.match(lineAt(2.1), /: not kept$/);
});

test("the median of the rounds counts", () => {
  const work = { ...posts, rounds: [100, 800, 900].flatMap(rounds) };
  assert.match(judgeWork("embedded", work).line, /0\.80 of .*: kept$/);
});
