import { once } from "node:events";
import { COMMAND_EXITS } from "@portico/protocol";
import { type Command, FailureError, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { type Selection, selectionOf, withSelection } from "../event-options.ts";
import { cancelJob, followJob, outcomeOf, startJob } from "../redelivery.ts";
import { complain, print, printable, printableJson } from "../terminal.ts";

/** `portico redeliver`: delivers events again, with the same event ids. */
export const redeliver: Command = {
  name: "redeliver",
  summary: "Deliver an app's events again: some, or all of a range of time",
  usage: "portico redeliver APP_ID EVENT_ID...|--from TIME --to TIME [OPTIONS]",
  notes: `A range is redelivered by a job of the service, which goes on when this command is stopped with Ctrl-C. Events keep
their ids; those that were DROPPED are skipped, and those to which the app has no ACTIVE subscription.`,
  examples: [
    "portico redeliver app_1 evt_1 evt_2",
    "portico redeliver app_1 --from 2026-01-31 --to 2026-01-31 --status EXHAUSTED",
  ],
  advice: {
    "403": "Only the owner of an app may deliver its events again: log in as that developer.",
    "404": "Check the ids of the app and of the event; `portico deliveries APP_ID` lists the events.",
    "409": "It cannot be done any more, or not now, as the message says.",
  },
  configure: (command) =>
    withDeveloper(
      withSelection(command.argument("<APP_ID>").argument("[EVENT_ID...]"))
        .option("--cancel <JOB_ID>", "end a job that redelivers a range; what it has redelivered so far stays so")
        .option("--json", "print the answer as JSON: of a range the job when it is done"),
    ).action(async (appId, eventIds, values) => {
      const selection = selectionOf(values);
      const isRange = Object.values(selection).some((given) => given !== undefined);
      if ([eventIds.length > 0, isRange, values.cancel !== undefined].filter(Boolean).length !== 1) {
        throw new UsageError("give either EVENT_IDs, or --from and --to, or --cancel");
      }
      if (isRange && (selection.from === undefined || selection.to === undefined)) {
        throw new UsageError("a range needs both --from and --to");
      }
      await using api = new ConsoleApi(await developerLogin(values));
      if (isRange) return await redeliverRange(api, appId, selection, values);
      if (values.cancel === undefined) return await redeliverEvents(api, appId, eventIds, values);
      await cancelJob(api, appId, values.cancel);
      print(values.json ? printableJson(JSON.stringify({ jobId: values.cancel, state: "CANCELLED" })) : "cancelled");
    }),
};

/** How the result is printed. */
interface Form {
  json?: boolean | undefined;
}

/** A single event has its own call, which fails when it does not exist; among several, such events are skipped. */
async function redeliverEvents(
  api: ConsoleApi,
  appId: string,
  eventIds: string[],
  { json = false }: Form,
): Promise<void> {
  const [eventId = ""] = eventIds;
  if (eventIds.length > 1) {
    const outcome = await api.console.redeliverMany({ params: { appId }, body: { eventIds } });
    return print(json ? printableJson(api.textOf(outcome)) : outcomeOf(outcome));
  }
  const delivery = await api.console.redeliverOne({ params: { appId, eventId } });
  print(json ? printableJson(api.textOf(delivery)) : printable(`sent off again: ${delivery.eventId}`));
}

async function redeliverRange(
  api: ConsoleApi,
  appId: string,
  selection: Selection,
  { json = false }: Form,
): Promise<void> {
  const job = await startJob(api, appId, selection);
  const goesOn = `the job goes on; end it with \`portico redeliver ${appId} --cancel ${job.jobId}\``;
  const following = new AbortController();
  const interruption = once(process, "SIGINT", { signal: following.signal }).then(() => "interrupted" as const);
  try {
    const done = await Promise.race([followJob(api, appId, job), interruption]);
    if (done === "interrupted") {
      complain(printable(goesOn));
      await api.end();
      process.exit(COMMAND_EXITS.INTERRUPTED);
    }
    print(json ? printableJson(api.textOf(done)) : outcomeOf(done));
  } catch (error) {
    if (!(error instanceof FailureError)) complain(printable(goesOn));
    throw error;
  } finally {
    following.abort();
  }
}
