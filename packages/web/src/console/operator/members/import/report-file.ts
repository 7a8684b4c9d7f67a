import { saveFile } from "../../../ui/save-file.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../files/csv-line.ts";
import type { Import } from "./import-state.ts";

/** What became of each line of an import, as a CSV text by line: of a line that is wrong, what is wrong with it. */
export function reportOf({ outcomes, problems }: Pick<Import, "outcomes" | "problems">): string {
  const rows = [
    ...outcomes.map(({ line, outcome }) => ({ line, outcome: outcome as string, problem: "" })),
    ...problems.map(({ line, problem }) => ({ line, outcome: "INVALID", problem: problem as string })),
  ].sort((a, b) => a.line - b.line);
  const header = csvLine(["line", "outcome", "problem"]);
  return (
    BYTE_ORDER_MARK +
    header +
    rows.map(({ line, outcome, problem }) => csvLine([String(line), outcome, problem])).join("")
  );
}

/** Saves it beside the file that was imported. */
export function saveReport(of: Import): void {
  saveFile(reportOf(of), { name: "import-report.csv", type: "text/csv" });
}
