import { medianOf } from "../load/latencies.ts";
import type { Run } from "../run.ts";
import type { VersionFigures, VersionsResult } from "../versions/compare-versions.ts";
import { heldBack, percent, spread } from "./format.ts";
import type { Report } from "./report.ts";
import { medianOfKnown, type Spread, spreadOf } from "./spread.ts";
import { judgePostsAgainst, judgeSendsAgainst } from "./targets.ts";

const HEAD = ["", "per second", "times", "CPU µs each", "of its CPU", "service CPU"];

export function reportVersions(result: VersionsResult, { options, placement }: Run): Report {
  const { connections, rounds, seconds, against } = options;
  const title = `The distributed service beside that of ${against}: ${connections} connections, ${rounds} rounds of ${seconds} s, median (min to max)`;
  if ("skipped" in result) {
    return { title, setting: [], rows: [HEAD], remarks: [`SKIPPED: ${result.skipped}`], verdicts: [] };
  }
  const { other, own, notes } = result;
  const generatorCpu = ({ sends }: VersionFigures) => medianOf(sends.map((phase) => phase.generatorCpu));
  return {
    title,
    setting: [
      "sends: signed texts to one conversation; posts: 32 connections of eight members write to a bot, until its receiver has all events",
      `each service is one process; ${placement.description}, with the receiver in it; PostgreSQL and Redis run on any core`,
      ...notes,
    ],
    rows: [HEAD, ...KINDS.flatMap((kind) => rowsOf(kind, other, own))],
    remarks: [other, own].flatMap((figures) => heldBack("load generator", generatorCpu(figures), figures.name)),
    verdicts: [
      ...judgeSendsAgainst(against, { times: timesOf("sends", other, own), ...costsOf("sends", other, own) }),
      judgePostsAgainst(against, timesOf("posts", other, own)),
    ],
  };
}

const KINDS = ["sends", "posts"] as const;
type Kind = (typeof KINDS)[number];

/** One round of one version. */
interface Figures {
  perSecond: number;
  cpuMs: number | null;
  /** Share of a core; null when it is not known. */
  serverCpu: number | null;
}

function roundsOf(kind: Kind, { sends, posts }: VersionFigures): Figures[] {
  if (kind === "sends") {
    return sends.map(({ perSecond, serverCpu, serverCpuMsPerCall }) => {
      return { perSecond, serverCpu, cpuMs: serverCpuMsPerCall };
    });
  }
  return posts.map(({ perSecond, cpuMsPerPost: cpuMs }) => {
    return { perSecond, serverCpu: cpuMs && (cpuMs * perSecond) / 1_000, cpuMs };
  });
}

function rowsOf(kind: Kind, other: VersionFigures, own: VersionFigures): string[][] {
  const row = (figures: VersionFigures, times: string, share: string) => {
    const rounds = roundsOf(kind, figures);
    const rate = spread(spreadOf(rounds.map(({ perSecond }) => perSecond)), 0);
    const cpuUs = rounds.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs * 1_000]));
    const cpu = cpuUs.length === 0 ? "?" : spread(spreadOf(cpuUs), 0);
    const busy = percent(medianOfKnown(rounds.map(({ serverCpu }) => serverCpu)));
    return [`${kind}, ${figures.name}`, rate, times, cpu, share, busy];
  };
  const { cpuShare } = costsOf(kind, other, own);
  const share = cpuShare === null ? "?" : cpuShare.toFixed(2);
  return [row(other, "1", "1"), row(own, spread(timesOf(kind, other, own), 1), share)];
}

/** This version's rate as a multiple of the other's, computed per round. */
function timesOf(kind: Kind, other: VersionFigures, own: VersionFigures): Spread {
  const others = roundsOf(kind, other);
  return spreadOf(
    roundsOf(kind, own).map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)),
  );
}

/** This version's processor time for one, and as a share of the other's in the same round: medians, or null. */
function costsOf(kind: Kind, other: VersionFigures, own: VersionFigures) {
  const others = roundsOf(kind, other);
  const rounds = roundsOf(kind, own);
  const shares = rounds.map(({ cpuMs }, round) => {
    const otherMs = others[round]?.cpuMs ?? null;
    return cpuMs === null || otherMs === null ? null : cpuMs / otherMs;
  });
  return { cpuMs: medianOfKnown(rounds.map(({ cpuMs }) => cpuMs)), cpuShare: medianOfKnown(shares) };
}
