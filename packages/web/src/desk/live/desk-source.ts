import type { DeskSession } from "@portico/protocol/schemas";
import type { AppLists } from "./conversation-book.ts";
import { deskApi } from "./desk-api.ts";
import type { DeskSource } from "./desk-reader.ts";

const PAGE = 100;
/** An agent's own sessions are read up to this many pages; nobody talks to a thousand people. */
const MOST_PAGES = 10;

/** Reads the desk from the service. */
export const deskSource: DeskSource = {
  async readApps(appIds) {
    const { items: apps } = await deskApi.listApps();
    return await Promise.all(
      apps.map(async (app) => {
        const isWanted = appIds === null || appIds.has(app.appId);
        return { app, lists: isWanted ? await readLists(app.appId) : null };
      }),
    );
  },
  readSession: (params) => deskApi.getSession({ params }),
};

/** Of a long queue the beginning. */
async function readLists(appId: string): Promise<AppLists> {
  const query = { status: "QUEUED", limit: PAGE } as const;
  const [waiting, own] = await Promise.all([deskApi.listSessions({ params: { appId }, query }), readOwn(appId)]);
  return { waiting: waiting.items, own };
}

async function readOwn(appId: string): Promise<DeskSession[]> {
  const own: DeskSession[] = [];
  for (let page = 0; page < MOST_PAGES; page++) {
    const before = own.at(-1)?.sessionId;
    const query = { status: "ACTIVE", limit: PAGE, ...(before !== undefined && { before }) } as const;
    const { items } = await deskApi.listSessions({ params: { appId }, query });
    own.push(...items);
    if (items.length < PAGE) break;
  }
  return own;
}
