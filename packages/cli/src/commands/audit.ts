import type { AuditEntry } from "@portico/protocol";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberFor } from "../option-kinds.ts";
import { inOneLine, isoTime, print, printableJson, table } from "../terminal.ts";
import { withRange } from "../time-options.ts";

const HEADINGS = ["time", "who", "action", "target", "from", "change"] as const;
/** The most characters of a change that are shown. */
const MAX_SHOWN = 120;

/** `portico audit`: lists what people have changed. */
export const audit: Command = {
  name: "audit",
  summary: "List what people have changed of an app, or, for operators, of the whole service",
  usage: "portico audit [APP_ID] [OPTIONS]",
  notes: `Without APP_ID: the log of the whole service, for operators. --json has each change as it was and as it is.`,
  examples: ["portico audit app_1 --from 2026-01-31", "portico audit --tenant t_acme --action app.disable"],
  configure: (command) =>
    withDeveloper(
      withRange(
        command
          .argument("[APP_ID]")
          .option("--action <ACTION>", "such as app.create")
          .option("--actor <ID>", "who did it: a developerId or userId")
          .option("--tenant <ID>", "of this tenant; without APP_ID only"),
        "changes",
      )
        .option("--limit <N>", "changes in the list, newest first, up to 100 (default 50)", numberFor("--limit"))
        .option("--before <ID>", "changes before that one, as the end of a list tells", numberFor("--before"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      const { action, actor: actorId, tenant: tenantId, from, to, before, limit } = values;
      const query = { action, actorId, from, to, before, limit };
      const role = appId === undefined ? "operator" : "developer";
      await using api = new ConsoleApi(await developerLogin(values, role));
      const list =
        appId === undefined
          ? await api.operator.listAudit({ query: { ...query, tenantId } })
          : await api.console.listAudit({ params: { appId }, query });
      if (values.json) return print(printableJson(api.textOf(list)));
      const { items, nextBefore } = list;
      print(...(items.length === 0 ? ["no changes"] : table([HEADINGS, ...items.map(rowOf)])));
      if (nextBefore !== null) print("", `more: add --before ${nextBefore} to the options`);
    }),
};

function rowOf({ at, actor, action, target, address, before, after }: AuditEntry): string[] {
  const change = `${shown(before)} -> ${shown(after)}`;
  return [isoTime(at), actor.name ?? actor.id, action, target, address ?? "-", change].map(inOneLine);
}

function shown(value: unknown): string {
  const text = value === null ? "-" : JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}
