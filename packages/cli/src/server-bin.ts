#!/usr/bin/env node
// `portico-server` of the packed service. Older versions of Node cannot even read its other files.
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) {
  await import("./server-main.ts");
} else {
  process.stderr.write(
    `portico-server: this needs Node ${OLDEST_NODE} or later, and ${process.execPath} is ${process.version}\n`,
  );
  process.exitCode = 1;
}

export {};
