import { consoleAt } from "../sign-in.ts";
import { BOT, DEVELOPER } from "../world.ts";
import type { Load } from "./load.ts";

/** What a developer looks at in the console. */
export const CONSOLE: Load = {
  name: "console",
  callers: 1,
  async work(caller) {
    const params = { appId: BOT.appId };
    const app = await caller.persist(async () => (await consoleAt(caller.url())).getApp({ params }));
    if (app.appId !== BOT.appId)
      caller.parts.ledger.violate(`${DEVELOPER.phone} asked for ${BOT.appId}, got ${app.appId}`);
    await caller.persist(async () => (await consoleAt(caller.url())).listDeliveries({ params, query: {} }));
    await caller.persist(async () => (await consoleAt(caller.url())).listRequests({ params, query: {} }));
  },
};
