import type { ImportedLine, ImportProblem } from "@portico/protocol";
import type { LineProblem, MemberLine } from "./read-member-list.ts";

/** What is wrong with a line. */
export interface ProblemLine {
  line: number;
  problem: LineProblem | ImportProblem;
  /** The user name that differs in its case alone. */
  other?: string | undefined;
}

/** What became of a line that named a member. */
export interface OutcomeLine {
  line: number;
  outcome: ImportedLine["outcome"];
}

/** How far an import has come, and what became of the lines so far. */
export interface Import {
  stage: "choosing" | "checking" | "checked" | "importing" | "imported";
  fileName: string;
  /** Lines that name a member, those that are done of them, and all that the file has. */
  total: number;
  done: number;
  lines: readonly MemberLine[];
  problems: readonly ProblemLine[];
  /** Of the lines that are done and not wrong. */
  outcomes: readonly OutcomeLine[];
  /** New members, or those who would be. */
  added: number;
  /** Those who were members before. */
  present: number;
  /** Lines that named nobody who was a member, when the file was judged. */
  ready: ReadonlySet<number>;
  /** Lines of a part without an answer: they may have been imported. */
  unsure: ReadonlySet<number>;
}

/** Before a file is chosen. */
export const NOTHING: Import = {
  stage: "choosing",
  fileName: "",
  total: 0,
  done: 0,
  lines: [],
  problems: [],
  outcomes: [],
  added: 0,
  present: 0,
  ready: new Set(),
  unsure: new Set(),
};

/** Counts the answer to a part in. */
export function withOutcomes(before: Import, answered: readonly ImportedLine[]): Import {
  const items = answered.map((item) => (isJustMade(before, item) ? { ...item, outcome: "CREATED" as const } : item));
  const problems = items.flatMap(({ line, problem, other }) => (problem === null ? [] : [{ line, problem, other }]));
  const count = (...outcomes: ImportedLine["outcome"][]) =>
    items.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    ...before,
    problems: problems.length === 0 ? before.problems : [...before.problems, ...problems],
    outcomes: [
      ...before.outcomes,
      ...items.flatMap(({ line, outcome, problem }) => (problem ? [] : [{ line, outcome }])),
    ],
    added: before.added + count("CREATED", "READY"),
    present: before.present + count("EXISTS"),
  };
}

/** Whether a member is there because an earlier try of the part was stored, though its answer never came. */
function isJustMade({ ready, unsure }: Import, { line, outcome }: ImportedLine): boolean {
  return outcome === "EXISTS" && unsure.has(line) && ready.has(line);
}
