/** Test files that need a process of their own, by their path or the folder they are in, and why. */
export const OWN_PROCESS: readonly (readonly [path: string, reason: string])[] = [
  ["packages/server/src/domain/files/read-upload.test.ts", "measures its memory"],
  ["packages/server/test/blobs.test.ts", "measures its memory"],
  ["packages/server/test/client-login.test.ts", "measures its memory"],
  ["packages/server/test/desk-stream.test.ts", "measures its memory"],
  ["packages/server/test/hostile-memory.test.ts", "measures its memory"],
  ["packages/server/test/stream-limits.test.ts", "measures its memory"],
  ["packages/server/test/upload-memory.test.ts", "measures its memory"],
  ["packages/server/test/webhook-attempt-answers.test.ts", "measures its memory"],
  ["packages/server/test/webhook-load.test.ts", "measures its memory"],
  ["packages/card/test/in-browser.test.ts", "builds pages and drives a browser"],
  ["packages/web/test/", "drives a browser"],
  ["scripts/package/", "builds packages"],
  ["scripts/examples/", "builds packages"],
  ["packages/protocol/src/cards/preview-link.test.ts", "measures its memory"],
  ["packages/protocol/src/cards/card-limits.test.ts", "measures how long a check takes"],
];

/** Whether the file cannot run in a process that has run others. One of components needs a loader for them. */
export function needsOwnProcess(file: string): boolean {
  return file.endsWith(".tsx") || OWN_PROCESS.some(([path]) => file.includes(`/${path}`));
}
