import { moveStore } from "../../src/operations/move/move.ts";

/** Moves a store in a process of its own, which can be killed: progress by line, then the report. */
const report = await moveStore(process.env, {
  to: process.argv[2] ?? null,
  progress: (line) => process.stdout.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(report)}\n`);
