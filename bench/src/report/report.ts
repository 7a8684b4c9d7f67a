import type { Machine } from "../machine.ts";
import { layOut, markdown } from "./table.ts";
import type { Verdict } from "./targets.ts";

/** The result of a comparison. */
export interface Report {
  title: string;
  /** The conditions other than the machine. */
  setting: string[];
  /** The rows of the table, the head first. */
  rows: string[][];
  remarks: string[];
  verdicts: Verdict[];
}

/** The text of a report, with its table in the form of `document`. */
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
