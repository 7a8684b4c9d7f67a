import type { MarkdownIt, StateBlock } from "markdown-it";

/** How many cells a table may have beyond its characters. */
const SPARE_CELLS = 100;
const DELIMITERS = /^[|:\- \t]+$/;

/**
 * Leaves a table as it is written when its rows name few of its columns: the parser completes each row, so that a text
 * of 64 KiB could make a million cells.
 */
export function boundedTables(md: MarkdownIt): void {
  md.block.ruler.before("table", "sparse_table", sparseTable);
}

function sparseTable(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || startLine + 1 >= endLine) return false;
  const delimiters = lineOf(state, startLine + 1);
  if (!DELIMITERS.test(delimiters)) return false;
  const columns = delimiters.split("|").filter((cell) => cell.trim() !== "").length;
  let [line, chars] = [startLine, 0];
  while (line < endLine && !state.isEmpty(line)) chars += lineOf(state, line++).length;
  if (columns * (line - startLine) <= chars + SPARE_CELLS) return false;
  const token = state.push("code_block", "code", 0);
  token.content = state.getLines(startLine, line, state.blkIndent, true);
  token.map = [startLine, line];
  state.line = line;
  return true;
}

function lineOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
}
