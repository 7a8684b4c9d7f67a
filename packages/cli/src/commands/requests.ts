import { type RequestList, type RequestsQuery, withDurations } from "@portico/protocol";
import { type Command, FailureError, UsageError, wholeNumber } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { follow } from "../follow.ts";
import { wordOption } from "../option-kinds.ts";
import { explanationLines } from "../request-explanation.ts";
import { findCall, isReqNo } from "../requests.ts";
import { appIdIfAny } from "../settings.ts";
import { inOneLine, isoTime, print, printableJson, table } from "../terminal.ts";
import { withRange } from "../time-options.ts";

const HEADINGS = ["time", "reqNo", "answer", "ms", "call", "reason"] as const;
/** The most that the service lists at once. */
const MAX_LIMIT = 100;
const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

/** `portico requests`: lists an application's signed calls, and explains a refusal. */
export const requests: Command = {
  name: "requests",
  summary: "List an app's signed calls, or explain why one was refused",
  usage: "portico requests APP_ID [FILTERS] [--follow] | [APP_ID] REQ_NO [OPTIONS]",
  notes: `With the reqNo of an answer: which check refused the call and why, what was to be signed where the signature
did not match, and what to do. Without APP_ID, all apps of the developer's tenants are looked through. With --follow: a line for each new call. Ctrl-C ends it.`,
  examples: [
    "portico requests app_1 --status 4xx --from 2026-01-31",
    "portico requests 0mh2lq9fk3f6a1b2c3d4e00001x",
    "portico requests app_1 --follow --status 4xx",
  ],
  advice: {
    "404": "Check the app's id, and that this developer belongs to the app's tenant; `portico apps` lists them.",
  },
  configure: (command) =>
    withDeveloper(
      withRange(
        command
          .argument("<APP_ID or REQ_NO>")
          .argument("[REQ_NO]")
          .option("--status <STATUS>", "such as 401, or 4xx", statusOf)
          .option("--code <CODE>", "such as 400001")
          .option("--path <PATH>", "what the path begins with")
          .addOption(wordOption("--method <METHOD>", "calls by this method", METHODS)),
        "calls",
      )
        .option("--limit <N>", "calls in the list, newest first, up to 100 (default 20)", limitOf)
        .option("--before <REQ_NO>", "calls before that one")
        .option("--follow", "show new calls as they come, a line each")
        .option("--json", "print the answer as JSON; with --follow, a line for each call"),
    ).action(async (first, second, values) => {
      const positionals = second === undefined ? [first] : [first, second];
      const reqNo = positionals.find(isReqNo);
      const [appId, ...more] = positionals.filter((each) => each !== reqNo);
      if (more.length > 0)
        throw new UsageError(`${more.length === 1 ? "1 argument" : `${more.length} arguments`} too many`);
      const { status, code, path, method, before, limit, from, to } = values;
      const selection = { status, code, path, method, before, limit, from, to };
      if (reqNo !== undefined && Object.values(selection).some((given) => given !== undefined)) {
        throw new UsageError("options that select from the list do not go with a REQ_NO");
      }
      if (values.follow && (reqNo !== undefined || [before, limit, from, to].some((given) => given !== undefined))) {
        throw new UsageError(
          "--follow takes no REQ_NO, --from, --to, --before or --limit: it shows what is new from now on",
        );
      }
      await using api = new ConsoleApi(await developerLogin(values));
      if (values.follow) return await followRequests(api, appId ?? "", { status, code, path, method }, values.json);
      if (reqNo === undefined) {
        const list = await api.console.listRequests({ params: { appId: appId ?? "" }, query: selection });
        return print(...(values.json ? [printableJson(api.textOf(list))] : listLines(appId ?? "", list)));
      }
      const found = await findCall(api, reqNo, { appId, likely: await appIdIfAny(values.profile) });
      if (found === null) throw new FailureError(notFound(reqNo, appId));
      print(...(values.json ? [printableJson(api.textOf(found))] : explanationLines(found)));
    }),
};

/** Shows new calls until the user interrupts it. */
async function followRequests(
  api: ConsoleApi,
  appId: string,
  filter: Pick<RequestsQuery, "status" | "code" | "path" | "method">,
  json = false,
): Promise<void> {
  await follow<RequestList["items"][number], string>({
    async list({ from, place: before }, signal) {
      const query = { ...filter, from, before, limit: MAX_LIMIT };
      const { items, nextBefore } = await api.console.listRequests({ params: { appId }, query }, { signal });
      return { items, next: nextBefore };
    },
    idOf: ({ reqNo }) => reqNo,
    timeOf: ({ at }) => at,
    show: (call) => print(json ? printableJson(JSON.stringify(call)) : rowOf(call).filter(Boolean).join("  ")),
  });
}

function statusOf(text: string): string {
  if (/^[1-5](\d\d|xx)$/.test(text)) return text;
  throw new UsageError("--status must be an HTTP status such as 401, or a class of them such as 4xx");
}

function limitOf(text: string): number {
  const limit = wholeNumber(text, "--limit");
  if (limit > MAX_LIMIT) throw new UsageError(`--limit must be at most ${MAX_LIMIT}`);
  return limit;
}

function listLines(appId: string, { items, nextBefore }: RequestList): string[] {
  const more = `more: add --before ${nextBefore} to the options, for ${appId}`;
  const lines = items.length === 0 ? ["no calls"] : table([HEADINGS, ...items.map(rowOf)]);
  return nextBefore === null ? lines : [...lines, "", inOneLine(more)];
}

function rowOf({ at, reqNo, status, code, durationMs, method, path, reason }: RequestList["items"][number]): string[] {
  const cells = [
    isoTime(at),
    reqNo,
    `${status} ${code}`,
    String(durationMs),
    `${method} ${path}`,
    withDurations(reason ?? ""),
  ];
  return cells.map(inOneLine);
}

function notFound(reqNo: string, appId: string | undefined): string {
  const where = appId === undefined ? "an app that this developer may look at" : appId;
  const advice =
    "Records are kept for days only. The call may be another app's, or of an app that there is not: name the app, or have " +
    "an operator look.";
  return `there is no call ${reqNo} of ${where}\n${advice}`;
}
