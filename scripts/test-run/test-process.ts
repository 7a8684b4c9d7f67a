/** Runs test files one after another in this process, as `ProcessRunner` tells it, and reports each one's events. */
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { openHandles } from "./open-handles.ts";
import { type Order, type Report, toWire, WHAT_IS_OPEN } from "./order.ts";
import { processorMs } from "./processor-time.ts";
import { leftBehind, surroundings } from "./surroundings.ts";
import { trackNoPromises } from "./untracked-promises.ts";

trackNoPromises();
const { run } = await import("node:test");

process.on("message", (order: Order | typeof WHAT_IS_OPEN) => {
  if (order === WHAT_IS_OPEN) report({ open: openHandles() });
  else void runHere(order);
});
process.once("disconnect", () => process.exit());

async function runHere({ file, namePattern, isAlone }: Order): Promise<void> {
  const before = surroundings();
  const processorMsBefore = processorMs();
  // The runner of Node takes a file's tests for finished when nothing keeps the process alive; this channel must not.
  process.channel?.unref();
  let isLoaded = true;
  for await (const event of run({ files: [file], isolation: "none", testNamePatterns: namePattern })) {
    report({ event: toWire(event) });
    if (event.type === "test:fail" && event.data.name === file) isLoaded = false;
  }
  process.channel?.ref();
  const left = isAlone ? [] : leftBehind(before, surroundings());
  report({
    faults: [...(isLoaded ? await faultOfLoading(file) : []), ...left],
    residentBytes: process.memoryUsage.rss(),
    processorMs: processorMs() - processorMsBefore,
  });
}

/** The runner of Node reports a file that threw only if it had not defined a test yet. The module remembers. */
async function faultOfLoading(file: string): Promise<string[]> {
  return await import(pathToFileURL(file).href).then(
    () => [],
    (error) => [inspect(error)],
  );
}

function report(what: Report): void {
  process.send?.(what);
}
