import type { Machine } from "../machine.ts";
import { layOut, markdown } from "./table.ts";
import type { Verdict } from "./targets.ts";

/** What a comparison has found. */
export interface Report {
  title: string;
  /** Under which circumstances, the machine aside. */
  setting: string[];
  /** The head first. */
  rows: string[][];
  remarks: string[];
  verdicts: Verdict[];
}

/** A report as it is printed, with its table as `document` shows it. */
export function printed(
  { title, setting, rows, remarks, verdicts }: Report,
  machine: Machine,
  document = "docs/performance.md",
): string {
  const where = [
    `${machine.cpu}, ${machine.cores} cores, ${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB, ${machine.system}, Node ${machine.node}`,
    `4 KiB write and sync: ${machine.syncMs.toFixed(2)} ms (median); load average before the run: ${machine.loadBefore.toFixed(1)}`,
    ...setting,
  ];
  const text = [
    ["", title, ...where].join("\n"),
    layOut(rows),
    [...remarks, ...verdicts.map(({ line }) => line)].join("\n"),
    [`For ${document}:`, "", ...where.map((line) => `- ${line}`), "", markdown(rows)].join("\n"),
  ];
  return `${text.join("\n\n")}\n`;
}
