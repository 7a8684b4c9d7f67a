import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { PorticoClient } from "@portico/sdk";
import { button, card, column, columnSet, plainText } from "@portico/sdk/cards";

const COLOURS = { running: "blue", passed: "green", failed: "red" };

const { values } = parseArgs({
  options: {
    group: { type: "string", default: "g_demo" },
    build: { type: "string" },
    state: { type: "string", default: "running" },
    branch: { type: "string", default: "main" },
    url: { type: "string" },
    update: { type: "string" },
  },
});
const { group, build, state, branch, url, update } = values;
if (build === undefined || !(state in COLOURS)) {
  console.error("usage: node notify.js --build 128 [--state running|passed|failed] [--url URL] [--update MESSAGE_ID]");
  process.exit(1);
}

const { bot } = new PorticoClient(JSON.parse(readFileSync("profile.json", "utf8")));
const built = card({
  header: { title: { content: `Build ${build} ${state}` }, template: COLOURS[state] },
  elements: [
    columnSet(column(plainText(`Branch: ${branch}`)), column(plainText(`Build: ${build}`))),
    ...(url === undefined ? [] : [button("Open", { url })]),
  ],
});
const { messageId } =
  update === undefined
    ? await bot.sendMessage({
        receiveIdType: "group_id",
        receiveId: group,
        msgType: "card",
        content: { card: built },
        // A job that the CI runs again does not send a second card.
        clientMessageId: `build-${branch}-${build}`,
      })
    : await bot.updateCard({ messageId: Number(update), card: built });
console.log(messageId);
