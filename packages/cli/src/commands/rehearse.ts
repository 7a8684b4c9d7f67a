import { CALL_FAULTS, REHEARSAL, REHEARSED_FAULTS, type RehearsalState } from "@portico/protocol";
import { type Command, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberFor, wordArgument } from "../option-kinds.ts";
import { appIdFor } from "../settings.ts";
import { isoTime, print, printableJson } from "../terminal.ts";

/** `portico rehearse`: has an app's next calls or deliveries fail. */
export const rehearse: Command = {
  name: "rehearse",
  summary: "Have an app's next calls or deliveries fail as told, in a test environment",
  usage: "portico rehearse [FAULT] [--app APP_ID] [--times N] [--minutes N] [--delay MS] [OPTIONS]",
  notes: `Calls: ${CALL_FAULTS.join(", ")}.
Deliveries, by webhook and by socket: DELIVERY_ANSWER_LOST (comes again by the schedule), DELIVERY_TWICE (comes again at once).
Without FAULT it shows what is rehearsed. It ends when N calls or deliveries have failed, and after N minutes in any case.`,
  examples: [
    "portico rehearse CALL_RATE_LIMITED --times 3",
    "portico rehearse CALL_SLOW --delay 5000",
    "portico rehearse DELIVERY_TWICE --app app_1",
    "portico rehearse --end",
  ],
  advice: { "403": "Only the owner of an app may, in a test environment." },
  configure: (command) =>
    withDeveloper(
      command
        .addArgument(wordArgument("<FAULT>", REHEARSED_FAULTS).argOptional())
        .option("--app <APP_ID>", "the app (default: that of --profile, else the demo's)")
        .option("--times <N>", `how many fail (default: ${REHEARSAL.times.default})`, numberFor("--times"))
        .option("--minutes <N>", `how long (default: ${REHEARSAL.minutes.default})`, numberFor("--minutes"))
        .option("--delay <MS>", `for CALL_SLOW (default: ${REHEARSAL.delayMs.default})`, numberFor("--delay"))
        .option("--end", "ends it")
        .option("--json", "print the answer as JSON"),
    ).action(async (fault, values) => {
      const { times, minutes, delay: delayMs, end: isEnd } = values;
      const isSaid = [times, minutes, delayMs].some((given) => given !== undefined);
      if (fault !== undefined && isEnd) throw new UsageError("FAULT and --end exclude each other");
      if (fault === undefined && isSaid) throw new UsageError("--times, --minutes and --delay go with FAULT");
      if (delayMs !== undefined && fault !== "CALL_SLOW") throw new UsageError("--delay goes with CALL_SLOW");
      const appId = await appIdFor(values);
      const params = { appId };
      await using api = new ConsoleApi(await developerLogin(values));
      if (isEnd) await api.console.endRehearsal({ params });
      const state =
        fault === undefined
          ? await api.console.getRehearsal({ params })
          : await api.console.armRehearsal({ params, body: { fault, times, minutes, delayMs } });
      print(values.json ? printableJson(JSON.stringify(state)) : lineOf(appId, state));
    }),
};

function lineOf(appId: string, { allowed, rehearsal }: RehearsalState): string {
  if (!allowed) return `${appId} rehearses nothing: this is production`;
  if (rehearsal === null) return `${appId} rehearses nothing`;
  const { fault, left, endsAt, delayMs } = rehearsal;
  const late = delayMs > 0 ? `, ${delayMs} ms late` : "";
  return `${appId} rehearses ${fault}${late}: ${left} to come, until ${isoTime(endsAt)}; end it with \`portico rehearse --end --app ${appId}\``;
}
