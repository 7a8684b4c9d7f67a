import { type ConsoleResult, LOOKING, SENDS_PER_SECOND, type SendsBeside } from "../console/compare-console.ts";
import { OTHER_APPS, ROWS } from "../console/fill-console.ts";
import type { Run } from "../run.ts";
import type { Report } from "./report.ts";
import { spreadOf } from "./spread.ts";
import { judgeSendsBeside, type Verdict } from "./targets.ts";
import { phaseCells, reportWorks } from "./works-report.ts";

export function reportConsole(result: ConsoleResult, { options, placement }: Run): Report {
  const { connections, rounds, seconds } = options;
  const { rows, remarks, verdicts } = reportWorks(result);
  return {
    title: `The console: ${connections} connections, ${rounds} rounds of ${seconds} s, median (min to max)`,
    setting: [
      `${ROWS} each of deliveries, requests, installations, members and changes; ${OTHER_APPS} applications`,
      "lists are compared with a bare server that writes the same answer as JSON; the service reads one list after another, so that they leave the rest alone",
      `signed sends: ${SENDS_PER_SECOND} a second, alone and while ${LOOKING} connections read a list without a pause`,
      `each server is one process; ${placement.description}`,
      ...result.notes,
    ],
    rows: [...rows, ...result.sends.map(rowOf)],
    remarks,
    verdicts: [...verdicts, ...result.sends.map(verdictOf)],
  };
}

function rowOf({ service, beside, rounds }: SendsBeside): string[] {
  const { rate, times } = phaseCells(rounds);
  return [`${service}, signed sends`, rate, beside ?? "alone", "", ...times.slice(0, 2), ""];
}

function verdictOf({ service, beside, rounds }: SendsBeside): Verdict {
  return judgeSendsBeside(service, beside, spreadOf(rounds.map(({ p99Ms }) => p99Ms)).median);
}
