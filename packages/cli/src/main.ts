#!/usr/bin/env node
import { run } from "./run.ts";

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
});

const exitCode = await run(process.argv.slice(2));
// 0 is left alone: `serve` returns while the service runs, and the service sets its own.
if (exitCode !== 0) process.exitCode = exitCode;
