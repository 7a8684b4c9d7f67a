import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageKind } from "../load/message-kinds.ts";
import {
  judgeDesk,
  judgeDrain,
  judgeInserts,
  judgeLive,
  judgeMemory,
  judgePosts,
  judgeReceipts,
  judgeRules,
  judgeSends,
  judgeSendsBeside,
  judgeUploads,
} from "./targets.ts";

const summary = (name: string, ratio: number, p99Ms = 5) => ({
  name,
  perSecond: { median: 500, min: 500, max: 500 },
  ratio: { median: ratio, min: ratio, max: ratio },
  full: { p50Ms: 1, p99Ms },
  half: { p50Ms: 1, p99Ms },
  serverCpu: 1,
  serverCpuMsPerCall: 1,
  generatorCpu: 0.4,
  peakMemoryBytes: null,
});

const cases: [kind: MessageKind, ratio: number, standing: RegExp, failed: boolean][] = [
  ["text", 0.5, /: kept$/, false],
  ["text", 0.49, /not kept yet, above the minimum$/, false],
  ["text", 0.35, /not kept yet, above the minimum$/, false],
  ["text", 0.34, /below the minimum$/, true],
  ["card", 0.5, /: kept$/, false],
  ["card", 0.3, /not kept yet, above the minimum$/, false],
  ["card", 0.29, /below the minimum$/, true],
];
for (const [kind, ratio, standing, failed] of cases) {
  test(`embedded at ${ratio} of the floor with a ${kind} ${failed ? "fails" : "does not fail"} the run`, () => {
    const [rate] = judgeSends(kind, summary("embedded", ratio));
    assert.match(rate?.line ?? "", standing);
    assert.equal(rate?.failed, failed);
  });
}

test("the floor has no target", () => {
  assert.deepEqual(judgeSends("text", summary("floor", 1)), []);
});

test("latency at half load is compared with its target", () => {
  const lineFor = (p99Ms: number) => judgeSends("card", summary("embedded", 0.5, p99Ms))[1]?.line ?? "";
  assert.match(lineFor(19.9), /: kept$/);
  assert.match(lineFor(20), /: not kept$/);
});

test("latency beside lists is compared with the same target", () => {
  assert.match(judgeSendsBeside("x", "deliveries", 19.9).line, /^x: p99 of signed sends beside deliveries .*: kept$/);
  assert.match(judgeSendsBeside("x", "deliveries", 20).line, /: not kept$/);
});

test("the median of the card rules is compared with its target", () => {
  const lineFor = (p50Ms: number) =>
    judgeRules({ name: "x", bytes: 1, check: { p50Ms, p99Ms: 9 }, parse: { p50Ms: 9, p99Ms: 9 } }).line;
  assert.match(lineFor(0.99), /: kept$/);
  assert.match(lineFor(1), /: not kept$/);
});

test("the time to a stream is compared with its target", () => {
  const lineFor = (p99Ms: number) => judgeLive({ name: "x", changes: 1, p50Ms: 1, p95Ms: 1, p99Ms, worstMs: 999 }).line;
  assert.match(lineFor(99.9), /: kept$/);
  assert.match(lineFor(100), /: not kept$/);
});

const drainCases: [ratio: number, standing: RegExp, failed: boolean][] = [
  [0.5, /: kept$/, false],
  [0.49, /not kept yet, above the minimum$/, false],
  [0.2, /not kept yet, above the minimum$/, false],
  [0.19, /below the minimum$/, true],
];
const drained = (name: string, ratio: number) => {
  return { ...summary(name, ratio), cpuMsPerEvent: 1, receiverCpu: 0.3 };
};
for (const [ratio, standing, failed] of drainCases) {
  test(`a backlog delivered at ${ratio} of the bare loop ${failed ? "fails" : "does not fail"} the run`, () => {
    const verdict = judgeDrain(drained("embedded", ratio));
    assert.match(verdict?.line ?? "", standing);
    assert.equal(verdict?.failed, failed);
  });
}

test("the bare loop has no target for the delivery rate, and the distributed service's does not fail the run", () => {
  assert.equal(judgeDrain(drained("bare undici loop", 1)), null);
  const verdict = judgeDrain(drained("distributed", 0.01));
  assert.match(verdict?.line ?? "", /not kept/);
  assert.equal(verdict?.failed, false);
});

test("posts until received are measured in the rate of Svix: five times embedded, twice distributed", () => {
  assert.match(judgePosts("embedded", 2_775).line, /5\.0 times Svix's 555 events\/s \(promised 5\): kept$/);
  assert.match(judgePosts("embedded", 2_774).line, /: not kept$/);
  assert.match(judgePosts("distributed", 1_110).line, /\(promised 2\): kept$/);
  assert.match(judgePosts("distributed", 1_109).line, /: not kept$/);
});

test("peak memory is compared with its target", () => {
  assert.match(judgeMemory({ name: "x", bytes: 299_999_999 }).line, /: kept$/);
  assert.match(judgeMemory({ name: "x", bytes: 300_000_000 }).line, /^x: peak memory 300 MB .*: not kept$/);
});

test("uploads are compared with those to the floor", () => {
  assert.match(judgeUploads("x", 0.5).line, /0\.50 of the floor's uploads \(promised 0\.5\): kept$/);
  assert.match(judgeUploads("x", 0.49).line, /: not kept$/);
});

test("both ways of a conversation with a visitor are compared with their target at p99", () => {
  const way = (p99Ms: number) => ({ p50Ms: 1, p95Ms: 1, p99Ms, worstMs: 999 });
  const [toAgent, toVisitor] = judgeDesk({ name: "x", toAgent: way(99.9), toVisitor: way(100) });
  assert.match(toAgent?.line ?? "", /the agent's stream.*: kept$/);
  assert.match(toVisitor?.line ?? "", /the visitor's stream.*: not kept$/);
});

test("the time to a receipt is compared with its target at p95", () => {
  const lineFor = (p95Ms: number) =>
    judgeReceipts({ name: "x", events: 1, hung: 1, p50Ms: 1, p95Ms, p99Ms: 998, worstMs: 999 }).line;
  assert.match(lineFor(99.9), /: kept$/);
  assert.match(lineFor(100), /: not kept$/);
});

test("a distributed send is measured by its processor time, and by both forms of pgbench's inserts", () => {
  const [cpu] = judgeSends("text", { ...summary("distributed", 0.1), serverCpuMsPerCall: 0.15 });
  assert.match(cpu?.line ?? "", /150 µs of .*: kept$/);
  const [slow] = judgeSends("text", { ...summary("distributed", 0.1), serverCpuMsPerCall: 0.151 });
  assert.match(slow?.line ?? "", /151 µs of .*: not kept$/);
  const phase = { answered: 1, p50Ms: 1, p99Ms: 1, serverCpu: 1, serverCpuMsPerCall: 1, generatorCpu: 0.4 };
  const roundAt = (perSecond: number) => ({ full: { ...phase, perSecond }, half: { ...phase, perSecond } });
  const showing = { name: "distributed", rounds: [900, 1_100, 2_000].map(roundAt) };
  const inserts = [1_000, 1_000, 1_000].map((oneByOne) => ({ oneByOne, batched: 9_000 }));
  const [oneByOne, batched] = judgeInserts(showing, inserts);
  assert.match(oneByOne?.line ?? "", /1\.10 of pgbench's inserts one by one \(promised 1\): kept$/);
  assert.match(batched?.line ?? "", /0\.12 of pgbench's inserts in batches \(promised 0\.5\): not kept$/);
  assert.deepEqual(judgeInserts({ ...showing, name: "embedded" }, inserts), []);
  assert.deepEqual(judgeInserts(showing, []), []);
});
