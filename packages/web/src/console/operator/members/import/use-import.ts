import type { ImportedLine, ImportProblem } from "@portico/protocol";
import { useEffect, useRef, useState } from "react";
import { operatorApi } from "../../../../shared/session/console.ts";
import { useOperatorChange } from "../../operator-queries.ts";
import type { LineProblem, MemberLine } from "./read-member-list.ts";
import { readMemberFile } from "./read-member-list.ts";

/** Lines of one call: while one is judged or imported, others' calls have their turn. */
const CHECKED_AT_ONCE = 100;
const IMPORTED_AT_ONCE = 25;

/** What is wrong with a line. */
export interface ProblemLine {
  line: number;
  problem: LineProblem | ImportProblem;
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
}

const NOTHING: Import = {
  stage: "choosing",
  fileName: "",
  total: 0,
  done: 0,
  lines: [],
  problems: [],
  outcomes: [],
  added: 0,
  present: 0,
};

/**
 * An import of members from a file: it is read and judged first, then sent in small parts. A part that fails can be sent
 * again, and so can the whole file: who is a member already stays as they are.
 */
export function useImport(tenantId: string) {
  const [state, setState] = useState(NOTHING);
  const stopped = useRef(false);
  useEffect(
    () => () => {
      // Whoever leaves the page has what is under way ended, not the rest begun.
      stopped.current = true;
    },
    [],
  );

  async function send(from: Import, atOnce: number, dryRun: boolean): Promise<Import> {
    let now = from;
    while (now.done < now.lines.length && !stopped.current) {
      const members = now.lines.slice(now.done, now.done + atOnce);
      const { items } = await operatorApi.importMembers({ body: { members, dryRun } }, { tenantId });
      now = withOutcomes({ ...now, done: now.done + members.length }, items);
      setState(now);
    }
    return now;
  }

  const check = useOperatorChange(async (file: File) => {
    stopped.current = false;
    // What was known of another file is not of this one, even if it cannot be read.
    setState(NOTHING);
    const { lines, problems } = await readMemberFile(file);
    const total = lines.length + problems.length;
    const checked = await send(
      { ...NOTHING, stage: "checking", fileName: file.name, lines, problems, total },
      CHECKED_AT_ONCE,
      true,
    );
    const wrong = new Set(checked.problems.map(({ line }) => line));
    setState({ ...checked, stage: "checked", done: 0, lines: lines.filter(({ line }) => !wrong.has(line)) });
  });
  const run = useOperatorChange(async () => {
    stopped.current = false;
    const begun: Import =
      state.stage === "importing"
        ? state
        : { ...state, stage: "importing", done: 0, outcomes: [], added: 0, present: 0 };
    setState(begun);
    const now = await send(begun, IMPORTED_AT_ONCE, false);
    if (now.done === now.lines.length) setState({ ...now, stage: "imported" });
  });
  return {
    state,
    check,
    run,
    /** Ends it after the part that is under way. */
    stop: () => {
      stopped.current = true;
    },
  };
}

function withOutcomes(before: Import, items: readonly ImportedLine[]): Import {
  const problems = items.flatMap(({ line, problem }) => (problem === null ? [] : [{ line, problem }]));
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
