import type { CannedReply } from "@portico/protocol";
import { type Command, FailureError, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { atMostOne, printList } from "../console-list.ts";
import { developerLogin, withDeveloper } from "../developer-settings.ts";
import { inputName } from "../input.ts";
import { readJson } from "../json-input.ts";
import { numberFor } from "../option-kinds.ts";
import { inOneLine, isoTime, print, printableJson } from "../terminal.ts";

/** As many as the console's API gives at once. */
const PAGE_SIZE = 100;

/** `portico canned-replies`: lists, imports and removes the texts that an application's agents insert by a shortcut. */
export const cannedReplies: Command = {
  name: "canned-replies",
  summary: "List the texts that an app's agents insert by a shortcut, import some, or remove one",
  usage: "portico canned-replies APP_ID [--import FILE | --remove SHORTCUT] [OPTIONS]",
  notes: `FILE is JSON: [{"shortcut": "hello", "text": "Hello {{visitor.nickname}}"}, ...], or what --json prints; - is standard input.
A reply whose shortcut is there already is changed, others are added, and none is removed.`,
  examples: [
    "portico canned-replies app_1",
    "portico canned-replies app_1 --json > replies.json",
    "portico canned-replies app_2 --import replies.json",
    "portico canned-replies app_1 --remove hello",
  ],
  advice: { "404": "Check the id of the app; `portico apps` lists yours." },
  configure: (command) =>
    withDeveloper(
      command
        .argument("<APP_ID>")
        .option("--import <FILE>", "add these, and change those whose shortcut is there")
        .option("--remove <SHORTCUT>", "remove this one")
        .option("--page <N>", `a page of the list, of ${PAGE_SIZE} (default 1)`, numberFor("--page"))
        .option("--json", "print the answer as JSON"),
    ).action(async (appId, values) => {
      const { import: file, remove, page, json } = values;
      atMostOne({ "--import": file, "--remove": remove, "--page": page });
      const wanted = file === undefined ? null : repliesIn(file, await readJson(file));
      await using api = new ConsoleApi(await developerLogin(values));
      if (wanted !== null) {
        const counts = await importAll(api, appId, wanted);
        if (json) return print(printableJson(JSON.stringify(counts)));
        return print(`${counts.added} added, ${counts.changed} changed, ${counts.unchanged} as they were`);
      }
      if (remove !== undefined) {
        await removeOne(api, appId, remove);
        if (!json) return print(inOneLine(`/${remove} is no longer a canned reply of ${appId}`));
      }
      const query = { page, pageSize: PAGE_SIZE };
      printList(api, await api.console.listCannedReplies({ params: { appId }, query }), COLUMNS, values);
    }),
};

type Content = Pick<CannedReply, "shortcut" | "text">;

function repliesIn(file: string, value: unknown): Content[] {
  const list = typeof value === "object" && value !== null && "items" in value ? value.items : value;
  if (!Array.isArray(list)) throw new UsageError(`${inputName(file)}: must be an array of {"shortcut", "text"}`);
  return list.map((entry: unknown, index) => {
    if (isContent(entry)) return { shortcut: entry.shortcut, text: entry.text };
    throw new UsageError(`${inputName(file)}: [${index}] must have a "shortcut" and a "text"`);
  });
}

function isContent(entry: unknown): entry is Content {
  if (typeof entry !== "object" || entry === null || !("shortcut" in entry && "text" in entry)) return false;
  return typeof entry.shortcut === "string" && typeof entry.text === "string";
}

async function importAll(api: ConsoleApi, appId: string, wanted: readonly Content[]) {
  const known = await allOf(api, appId);
  const counts = { added: 0, changed: 0, unchanged: 0 };
  for (const body of wanted) {
    const former = known.get(keyOf(body.shortcut));
    if (former?.shortcut === body.shortcut && former.text === body.text) {
      counts.unchanged++;
      continue;
    }
    const saved =
      former === undefined
        ? await api.console.createCannedReply({ params: { appId }, body })
        : await api.console.updateCannedReply({ params: { appId, replyId: former.replyId }, body });
    known.set(keyOf(body.shortcut), saved);
    counts[former === undefined ? "added" : "changed"]++;
  }
  return counts;
}

async function removeOne(api: ConsoleApi, appId: string, shortcut: string): Promise<void> {
  const reply = (await allOf(api, appId)).get(keyOf(shortcut));
  if (reply === undefined) throw new FailureError(`${appId} has no canned reply /${shortcut}`);
  await api.console.deleteCannedReply({ params: { appId, replyId: reply.replyId } });
}

/** All of an application's replies, by {@link keyOf} their shortcuts. */
async function allOf(api: ConsoleApi, appId: string): Promise<Map<string, CannedReply>> {
  const all = new Map<string, CannedReply>();
  for (let page = 1; ; page++) {
    const query = { page, pageSize: PAGE_SIZE };
    const { items } = await api.console.listCannedReplies({ params: { appId }, query });
    for (const reply of items) all.set(keyOf(reply.shortcut), reply);
    if (items.length < PAGE_SIZE) return all;
  }
}

/** Shortcuts are unique whatever the case of their letters. */
function keyOf(shortcut: string): string {
  return shortcut.normalize("NFC").toLowerCase();
}

const COLUMNS = {
  none: "no canned replies",
  headings: ["shortcut", "changed", "by", "text"],
  rowOf: ({ shortcut, updatedAt, updatedBy, text }: CannedReply) => [
    shortcut,
    isoTime(updatedAt),
    updatedBy ?? "-",
    text,
  ],
};
