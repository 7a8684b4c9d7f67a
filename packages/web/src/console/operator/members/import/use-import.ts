import { useEffect, useRef, useState } from "react";
import { operatorApi } from "../../../../shared/session/console.ts";
import { useOperatorChange } from "../../operator-queries.ts";
import { type Import, NOTHING, withOutcomes } from "./import-state.ts";
import { readMemberFile } from "./read-member-list.ts";

/** Lines of one call: while one is judged or imported, others' calls have their turn. */
const CHECKED_AT_ONCE = 100;
const IMPORTED_AT_ONCE = 25;

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
      // Until the answer comes, nobody knows.
      const asked = dryRun ? now : { ...now, unsure: new Set([...now.unsure, ...members.map(({ line }) => line)]) };
      setState(asked);
      const { items } = await operatorApi.importMembers({ body: { members, dryRun } }, { tenantId });
      now = withOutcomes({ ...asked, unsure: now.unsure, done: now.done + members.length }, items);
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
    const ready = new Set(checked.outcomes.filter(({ outcome }) => outcome === "READY").map(({ line }) => line));
    setState({ ...checked, ready, stage: "checked", done: 0, lines: lines.filter(({ line }) => !wrong.has(line)) });
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
