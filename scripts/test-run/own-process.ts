const MEASURES_MEMORY = "measures its memory";

/** Test files that need a process of their own, by their path or the folder they are in, and why. */
export const OWN_PROCESS: readonly (readonly [path: string, reason: string])[] = [
  ["packages/server/src/domain/files/read-upload.test.ts", MEASURES_MEMORY],
  ["packages/server/test/blobs.test.ts", MEASURES_MEMORY],
  ["packages/server/test/bodies.test.ts", MEASURES_MEMORY],
  ["packages/server/test/client-login.test.ts", MEASURES_MEMORY],
  ["packages/server/test/desk-stream.test.ts", MEASURES_MEMORY],
  ["packages/server/test/hostile-memory.test.ts", MEASURES_MEMORY],
  ["packages/server/test/stream-limits.test.ts", MEASURES_MEMORY],
  ["packages/server/test/upload-memory.test.ts", MEASURES_MEMORY],
  ["packages/server/test/webhook-attempt-answers.test.ts", MEASURES_MEMORY],
  ["packages/server/test/webhook-load.test.ts", MEASURES_MEMORY],
  ["packages/server/src/platform/http/descriptor-table.test.ts", "enlarges the table of descriptors of its process"],
  ["packages/card/test/in-browser.test.ts", "builds pages and drives a browser"],
  ["scripts/package/", "builds packages"],
  ["scripts/examples/", "builds packages"],
  ["packages/protocol/src/cards/preview-link.test.ts", MEASURES_MEMORY],
  ["packages/protocol/src/cards/card-limits.test.ts", "measures how long a check takes"],
];

/** Whether the file cannot run in a process that has run others. One of components needs a loader for them. */
export function needsOwnProcess(file: string): boolean {
  return file.endsWith(".tsx") || reasonFor(file) !== undefined;
}

/** Whether the file's process needs the settings that the service has: those of Node differ with the machine's memory. */
export function measuresMemory(file: string): boolean {
  return reasonFor(file) === MEASURES_MEMORY;
}

function reasonFor(file: string): string | undefined {
  return OWN_PROCESS.find(([path]) => file.includes(`/${path}`))?.[1];
}
