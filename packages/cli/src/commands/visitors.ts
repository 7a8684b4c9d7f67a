import type { Visitor } from "@portico/protocol";
import type { Command } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { atMostOne, printList } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { numberFor, wordOption } from "../option-kinds.ts";
import { inOneLine, isoTime, print } from "../terminal.ts";

const STATES = ["enabled", "disabled"] as const;

/** `portico visitors`: lists an application's visitors, disables and enables them. */
export const visitors: Command = {
  name: "visitors",
  summary: "List an app's visitors, disable one, or enable one again",
  usage: "portico visitors APP_ID [--disable VISITOR_ID | --enable VISITOR_ID] [OPTIONS]",
  examples: ["portico visitors app_1 --keyword ann", "portico visitors app_1 --disable v_1"],
  advice: { "404": "Check the ids of the app and of the visitor; `portico visitors APP_ID` lists the visitors." },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--disable <VISITOR_ID>", "take a visitor's tokens away, and refuse their messages")
        .option("--enable <VISITOR_ID>", "take that back")
        .option("--keyword <TEXT>", "part of an id, the nickname, the phone or the email")
        .addOption(wordOption("--status <STATE>", "visitors in this state", STATES))
        .option("--page <N>", "a page of the list, newest first (default 1)", numberFor("--page"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      const { disable, enable, keyword, page, status: state } = values;
      atMostOne({ "--disable": disable, "--enable": enable });
      await using api = new ConsoleApi(await developerLogin(values));
      const visitorId = disable ?? enable;
      if (visitorId === undefined) {
        const query = { keyword, page, ...(state !== undefined && { status: state === "disabled" ? 0 : 1 }) };
        return printList(api, await api.console.listVisitors({ params: { appId }, query }), COLUMNS, values);
      }
      const status = disable === undefined ? 1 : 0;
      await api.console.updateVisitor({ params: { appId, visitorId }, body: { status } });
      print(inOneLine(`${visitorId} is ${status === 1 ? "enabled" : "disabled"}`));
    }),
};

const COLUMNS = {
  none: "no visitors",
  headings: ["visitor", "your id", "state", "online", "since", "nickname"],
  rowOf: ({ visitorId, thirdUserId, status, online, createdAt, nickname }: Visitor) => [
    visitorId,
    thirdUserId,
    status === 0 ? "disabled" : "enabled",
    online ? "yes" : "no",
    isoTime(createdAt),
    nickname,
  ],
};
