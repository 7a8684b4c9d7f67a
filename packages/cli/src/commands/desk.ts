import type { DeskStats } from "@portico/protocol";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberFor } from "../option-kinds.ts";
import { inOneLine, isoTime, print, printableJson, table } from "../terminal.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;

/** `portico desk`: shows how an application's customer service does. */
export const desk: Command = {
  name: "desk",
  summary: "Show who is at an app's desk, who waits, and how its visitors were served",
  usage: "portico desk APP_ID [--days N] [OPTIONS]",
  notes:
    "Times are those of half of the conversations that were closed in the last days, and in brackets of nine tenths.",
  examples: ["portico desk app_1", "portico desk app_1 --days 30 --json"],
  advice: { "404": "Check the id of the app; `portico apps` lists yours." },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--days <N>", `up to now, at most 31 (default ${DEFAULT_DAYS})`, numberFor("--days"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      await using api = new ConsoleApi(await developerLogin(values));
      const to = Date.now();
      const query = { from: to - (values.days ?? DEFAULT_DAYS) * DAY_MS, to };
      const stats = await api.console.getDeskStats({ params: { appId }, query });
      print(...(values.json ? [printableJson(api.textOf(stats))] : linesOf(stats)));
    }),
};

function linesOf(stats: DeskStats): string[] {
  const { waiting, oldestWaitingSince: since } = stats.queue;
  const rated = Object.entries(stats.ratings).map(([stars, count]) => `${stars}: ${count}`);
  const facts = table([
    ["waiting", since === null ? "nobody" : `${waiting}, the first since ${isoTime(since)}`],
    ["conversations", `${stats.opened} opened, ${stats.closed} closed`],
    ["waiting time", inSeconds(stats.waitingSeconds)],
    ["first reply", inSeconds(stats.firstReplySeconds)],
    ["handling", inSeconds(stats.handlingSeconds)],
    ["ratings", rated.join(", ")],
  ]);
  const agents = table([
    ["agent", "status", "now", "closed", "first reply", "handling", "rating", "name"],
    ...stats.agents.map((agent) => [
      agent.agentId,
      agent.online ? "online" : agent.status === "ONLINE" ? "away" : agent.status.toLowerCase(),
      `${agent.activeSessions} of ${agent.maxSessions}`,
      String(agent.handled),
      inSeconds(agent.firstReplySeconds),
      inSeconds(agent.handlingSeconds),
      agent.rating.average === null ? "-" : `${agent.rating.average} (${agent.rating.count})`,
      agent.agentName,
    ]),
  ]);
  return [...facts, "", ...(stats.agents.length === 0 ? ["no agents"] : agents)].map(inOneLine);
}

function inSeconds(seconds: DeskStats["waitingSeconds"]): string {
  return seconds === null ? "-" : `${seconds.p50} s (${seconds.p90} s)`;
}
