import type { MemberRound, MembersResult } from "../members/compare-members.ts";
import { POSTS, READS, type Work } from "../members/member-calls.ts";
import type { Phase } from "../phase.ts";
import type { Run } from "../run.ts";
import { spread } from "./format.ts";
import type { Report } from "./report.ts";
import { medianOfKnown, type Spread, spreadOf } from "./spread.ts";
import { judgeMembers } from "./targets.ts";

const HEAD = ["", "calls/s", "beside", "ratio", "CPU µs/call"];

/** What a service reached with one kind of call. */
interface Line {
  name: string;
  what: Work | "signed sends";
  perSecond: Spread;
  beside: "signed sends" | "a bare server" | null;
  ratio: Spread | null;
  cpuMs: number | null;
}

export function reportMembers({ services, skipped, notes }: MembersResult, { options, placement }: Run): Report {
  const lines = services.flatMap(linesOf);
  const { connections, rounds, seconds } = options;
  return {
    title: `Members' calls: ${connections} connections, ${rounds} rounds of ${seconds} s, median (min to max)`,
    setting: [
      "posts are compared with signed sends to the same group; reads with a bare server that writes the same answer as JSON",
      `each server is one process; ${placement.description}`,
      ...notes,
    ],
    rows: [HEAD, ...lines.map(rowOf)],
    remarks: skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
    verdicts: lines.flatMap(({ name, what, ratio }) =>
      ratio === null || what === "signed sends" ? [] : [judgeMembers(`${name}, ${what}`, what, ratio.median)],
    ),
  };
}

function linesOf({ name, rounds }: MembersResult["services"][number]): Line[] {
  const line = (
    what: Line["what"],
    beside: Line["beside"],
    of: (round: MemberRound) => Phase,
    base?: typeof of,
  ): Line => ({
    name,
    what,
    beside,
    perSecond: spreadOf(rounds.map((round) => of(round).perSecond)),
    ratio: base ? spreadOf(rounds.map((round) => of(round).perSecond / base(round).perSecond)) : null,
    cpuMs: medianOfKnown(rounds.map((round) => of(round).serverCpuMsPerCall)),
  });
  return [
    line("signed sends", null, ({ sends }) => sends),
    ...POSTS.map((what) =>
      line(
        what,
        "signed sends",
        ({ works }) => works[what],
        ({ sends }) => sends,
      ),
    ),
    ...READS.map((what) =>
      line(
        what,
        "a bare server",
        ({ works }) => works[what],
        ({ floor }) => floor[what],
      ),
    ),
  ];
}

function rowOf({ name, what, perSecond, beside, ratio, cpuMs }: Line): string[] {
  return [
    `${name}, ${what}`,
    spread(perSecond, 0),
    beside ?? "",
    ratio === null ? "" : spread(ratio, 2),
    cpuMs === null ? "?" : (cpuMs * 1_000).toFixed(0),
  ];
}
