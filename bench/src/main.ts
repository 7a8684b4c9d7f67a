/** `npm run bench`: measures the promised figures. `--help` lists the options. */
import { writeFile } from "node:fs/promises";
import { timeCardRules } from "./card-rules.ts";
import { compareConsole } from "./console/compare-console.ts";
import { MemoryWatch } from "./contenders/memory-watch.ts";
import { compareCustomer } from "./customer/compare-customer.ts";
import { compareDesk } from "./desk/compare-desk.ts";
import { compareExplain } from "./explain/compare-explain.ts";
import { compareGrown } from "./grown/compare-grown.ts";
import { compareLive } from "./live/compare-live.ts";
import { choosePlacement, describeMachine, watchStolenTime } from "./machine.ts";
import { compareMembers } from "./members/compare-members.ts";
import { type Comparison, type Options, readOptions, USAGE, UsageError } from "./options.ts";
import { reportCardRules } from "./report/card-rules-report.ts";
import { reportConsole } from "./report/console-report.ts";
import { reportCustomer } from "./report/customer-report.ts";
import { reportDesk } from "./report/desk-report.ts";
import { reportExplain } from "./report/explain-report.ts";
import { reportGrown } from "./report/grown-report.ts";
import { reportLive } from "./report/live-report.ts";
import { reportMembers } from "./report/members-report.ts";
import { printed, type Report } from "./report/report.ts";
import { reportSignedSends } from "./report/signed-sends-report.ts";
import { reportStreams } from "./report/streams-report.ts";
import { judgeMemory } from "./report/targets.ts";
import { reportUploads } from "./report/uploads-report.ts";
import { reportVersions } from "./report/versions-report.ts";
import { reportWebhook } from "./report/webhook-report.ts";
import type { Run } from "./run.ts";
import { compareSignedSends } from "./signed-sends.ts";
import { compareStreams } from "./streams/compare-streams.ts";
import { compareUploads } from "./uploads/compare-uploads.ts";
import { compareVersions } from "./versions/compare-versions.ts";
import { compareWebhook } from "./webhook/compare-webhook.ts";

async function main(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === null) process.stdout.write(USAGE);
    else await runAll(options);
  } catch (error) {
    const known = error instanceof UsageError;
    process.stderr.write(known ? `${error.message}\n\n${USAGE}` : `The bench failed: ${describe(error)}\n`);
    process.exitCode = known ? 2 : 1;
  }
}

async function runAll(options: Options): Promise<void> {
  await using allOpened = new AsyncDisposableStack();
  endOnSignal(allOpened);
  const machine = describeMachine();
  const placement = choosePlacement();
  const progress = (line: string) => void process.stderr.write(`${line}\n`);
  const figures: Partial<Record<Comparison, unknown>> = {};
  for (const comparison of options.comparisons) {
    await using opened = allOpened.use(new AsyncDisposableStack());
    const { result, report } = await COMPARE[comparison]({
      options,
      placement,
      opened,
      progress,
      memory: new MemoryWatch(),
    });
    process.stdout.write(printed(report, machine));
    if (report.verdicts.some(({ failed }) => failed)) process.exitCode = 1;
    figures[comparison] = result;
  }
  if (options.jsonFile !== null) {
    const content = { machine, placement: placement.description, options, ...figures };
    await writeFile(options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  }
}

const COMPARE = {
  text: measured((run) => compareSignedSends("text", run), reportSignedSends),
  card: measured((run) => compareSignedSends("card", run), reportSignedSends),
  rules: measured(timeCardRules, reportCardRules),
  live: measured(compareLive, reportLive),
  webhook: measured(compareWebhook, reportWebhook),
  members: measured(compareMembers, reportMembers),
  customer: measured(compareCustomer, reportCustomer),
  console: measured(compareConsole, reportConsole),
  uploads: measured(compareUploads, reportUploads),
  streams: measured(compareStreams, reportStreams),
  desk: measured(compareDesk, reportDesk),
  grown: measured(compareGrown, reportGrown),
  versions: measured(compareVersions, reportVersions),
  explain: measured(compareExplain, reportExplain),
} satisfies Record<Comparison, unknown>;

/** A comparison and its report, with the verdicts on the memory of the services that it has started. */
function measured<Result>(measure: (run: Run) => Promise<Result>, report: (result: Result, run: Run) => Report) {
  return async (run: Run) => {
    const stolen = watchStolenTime();
    const result = await measure(run);
    const taken = stolen();
    const { remarks, verdicts, ...rest } = report(result, run);
    const host =
      taken === null ? [] : [`the machine's host took ${(taken * 100).toFixed(1)}% of the cores' time meanwhile`];
    const memory = run.memory.peaks().map(judgeMemory);
    return { result, report: { ...rest, remarks: [...remarks, ...host], verdicts: [...verdicts, ...memory] } };
  };
}

/** Stops the servers before a signal ends this process. */
function endOnSignal(opened: AsyncDisposableStack): void {
  const end = async (code: number) => {
    try {
      await opened.disposeAsync();
    } finally {
      process.exit(code);
    }
  };
  process.once("SIGINT", () => void end(130));
  process.once("SIGTERM", () => void end(143));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

await main();
