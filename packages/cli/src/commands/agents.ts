import type { Agent } from "@portico/protocol";
import type { Command } from "../command.ts";
import { wholeNumber } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { atMostOne, printList, tenantOfApp } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { inOneLine, print } from "../terminal.ts";

/** `portico agents`: lists, adds and removes who serves an application's visitors. */
export const agents: Command = {
  name: "agents",
  summary: "List who serves an app's visitors, add somebody, or remove somebody",
  usage: "portico agents APP_ID [--add ACCOUNT [--max-sessions N] | --remove ACCOUNT] [OPTIONS]",
  notes: `ACCOUNT is a member's username. --add with --max-sessions also changes how many sessions at a time an agent is given.`,
  examples: [
    "portico agents app_1",
    "portico agents app_1 --add anna --max-sessions 5",
    "portico agents app_1 --remove anna",
  ],
  advice: { "404": "Check the ids of the app and of the member; `portico members` lists a tenant's, for operators." },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--add <ACCOUNT>", "have this member serve the app's visitors")
        .option("--max-sessions <N>", "how many sessions at a time the agent is given", (text: string) =>
          wholeNumber(text, "--max-sessions"),
        )
        .option("--remove <ACCOUNT>", "have this agent no longer serve them")
        .option("--tenant <ID>", "the tenant of the member (default: that of the app)")
        .option("--json", "print the list as JSON"),
    ).action(async (appId, values) => {
      const { add, remove, maxSessions } = values;
      atMostOne({ "--add": add, "--remove": remove });
      atMostOne({ "--max-sessions": maxSessions, "--remove": remove });
      await using api = new ConsoleApi(await developerLogin(values));
      const tenant = { tenantId: await tenantOfApp(api, appId, values.tenant) };
      const params = { appId };
      if (remove !== undefined) {
        await api.console.removeAgent({ params: { appId, username: remove } }, tenant);
        if (!values.json) return print(inOneLine(`${remove} no longer serves the visitors of ${appId}`));
      }
      if (add !== undefined) {
        await api.console.addAgent({ params, body: { username: add } }, tenant);
        if (maxSessions !== undefined) {
          await api.console.updateAgent({ params: { appId, username: add }, body: { maxSessions } }, tenant);
        }
      }
      printList(api, await api.console.listAgents({ params }, tenant), COLUMNS, values);
    }),
};

const COLUMNS = {
  none: "no agents",
  headings: ["agent", "sessions", "name"],
  rowOf: ({ agentId, maxSessions, name }: Agent) => [agentId, `up to ${maxSessions}`, name],
};
