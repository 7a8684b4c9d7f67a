import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "../options.ts";
import type { Run } from "../run.ts";
import type { VersionFigures } from "../versions/compare-versions.ts";
import { reportVersions } from "./versions-report.ts";

const run = { options: readOptions([]), placement: { description: "anywhere" } } as Run;

/** Rates, and processor time in microseconds, round by round. */
function figures(name: string, sends: [number, number][], posts: [number, number][]): VersionFigures {
  return {
    name,
    sends: sends.map(([perSecond, cpuUs]) => {
      const times = { p50Ms: 1, p99Ms: 1, generatorCpu: 0.4 };
      return { answered: 1, perSecond, serverCpu: 0.5, serverCpuMsPerCall: cpuUs / 1_000, ...times };
    }),
    posts: posts.map(([perSecond, cpuUs]) => ({ perSecond, cpuMsPerPost: cpuUs / 1_000 })),
  };
}

const other = figures(
  "old",
  [
    [1_000, 400],
    [500, 800],
    [1_000, 400],
  ],
  [
    [500, 1_000],
    [500, 1_000],
    [500, 1_000],
  ],
);

function linesOf(own: VersionFigures): string[] {
  return reportVersions({ other, own, notes: [] }, run).verdicts.map(({ line }) => line);
}

test("rates and processor times are compared within a round, and the median of the rounds counts", () => {
  const own = figures(
    "new",
    [
      [2_900, 140],
      [1_600, 300],
      [4_000, 160],
    ],
    [
      [1_900, 1],
      [2_000, 1],
      [2_100, 1],
    ],
  );
  const [sends, cpu, share, posts] = linesOf(own);
  assert.equal(sends, "distributed, sends: 3.20 times those of 1b7b1c2 (promised 3): kept");
  assert.match(cpu ?? "", /^distributed: 160 µs .* \(promised at most 150 µs\): not kept$/);
  assert.match(share ?? "", /^distributed: 0\.37 of the processor time .* \(promised at most 0\.40\): kept$/);
  assert.equal(posts, "distributed, posts until received: 4.00 times those of 1b7b1c2 (promised 4): kept");
});

test("less than promised is not kept", () => {
  const [sends, cpu, share, posts] = linesOf(
    figures(
      "new",
      [
        [2_900, 170],
        [1_400, 330],
        [2_900, 170],
      ],
      [
        [1_900, 1],
        [1_900, 1],
        [1_900, 1],
      ],
    ),
  );
  for (const line of [sends, cpu, share, posts]) assert.match(line ?? "", /: not kept$/);
});

test("a comparison that was not made says why, and promises nothing", () => {
  const { remarks, verdicts } = reportVersions({ skipped: "there is no redis-server on PATH" }, run);
  assert.deepEqual(remarks, ["SKIPPED: there is no redis-server on PATH"]);
  assert.deepEqual(verdicts, []);
});
