import type { Run } from "../run.ts";
import { AT_ONCE, type UploadsResult } from "../uploads/compare-uploads.ts";
import { FILE_BYTES } from "../uploads/uploads.ts";
import { heldBack, spread } from "./format.ts";
import type { Report } from "./report.ts";
import { medianOfKnown, type Spread, spreadOf } from "./spread.ts";
import { judgeUploads } from "./targets.ts";

const HEAD = ["", "uploads/s", "MB/s", "of the floor", "p50 ms", "p99 ms", "CPU ms/upload", "peak RSS MB"];

type Server = UploadsResult["servers"][number];

export function reportUploads({ servers, skipped, notes }: UploadsResult, { options, placement }: Run): Report {
  const { rounds, seconds } = options;
  const [floor, ...services] = servers;
  const ratioOf = (server: Server) =>
    spreadOf(server.rounds.map(({ perSecond }, round) => perSecond / (floor?.rounds[round]?.perSecond ?? Number.NaN)));
  return {
    title: `Uploads of ${FILE_BYTES / 2 ** 20} MiB, ${AT_ONCE} at once: ${rounds} rounds of about ${seconds} s, median (min to max)`,
    setting: [
      "the floor hashes the body as it comes, writes it to a file, checks the signature, syncs the file and answers",
      `each server is one process; ${placement.description}`,
      ...notes,
    ],
    rows: [HEAD, ...servers.map((server) => rowOf(server, ratioOf(server)))],
    remarks: [
      ...skipped.map(({ name, reason }) => `SKIPPED ${name}: ${reason}`),
      ...servers.flatMap(({ name, rounds }) =>
        heldBack("load generator", spreadOf(rounds.map(({ generatorCpu }) => generatorCpu)).median, name),
      ),
    ],
    verdicts: services.map((server) => judgeUploads(server.name, ratioOf(server).median)),
  };
}

function rowOf({ name, rounds, peakMemoryBytes }: Server, ratio: Spread): string[] {
  const over = (figure: "p50Ms" | "p99Ms") => spreadOf(rounds.map((phase) => phase[figure])).median.toFixed(0);
  const rate = spreadOf(rounds.map(({ perSecond }) => perSecond));
  const cpuMs = medianOfKnown(rounds.map(({ serverCpuMsPerCall }) => serverCpuMsPerCall));
  return [
    name,
    spread(rate, 1),
    ((rate.median * FILE_BYTES) / 1e6).toFixed(0),
    spread(ratio, 2),
    over("p50Ms"),
    over("p99Ms"),
    cpuMs === null ? "?" : cpuMs.toFixed(0),
    peakMemoryBytes === null ? "?" : (peakMemoryBytes / 1e6).toFixed(0),
  ];
}
