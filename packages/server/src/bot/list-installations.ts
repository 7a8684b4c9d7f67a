import { type Installation, type InstallationsQuery, LIMITS } from "@portico/protocol";
import { InstallationListSchema, InstallationPagesQuerySchema } from "@portico/protocol/schemas";
import type { Static } from "typebox";
import type { Context } from "../context.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { InSlices } from "../http/in-slices.ts";
import { SLICE_BYTES } from "../http/large-answers.ts";
import { readCursor, writeCursor } from "./installation-cursor.ts";
import { type InstallationSlice, type ListPlace, readInstallationSlice } from "./installation-list.ts";

/** What an installation takes in an answer, about. */
const BYTES_EACH = 150;

/**
 * GET /api/open/v2/bot/installations (docs/contract/messages.md#targets): all of them, read while they are written;
 * or, for who asks for pages, so many at a time.
 */
export const listInstallations: OpenRoute<never, typeof InstallationPagesQuerySchema, typeof InstallationListSchema> = {
  method: "GET",
  url: "/api/open/v2/bot/installations",
  summary: "List the conversations the bot is or was installed in, all of them or in pages",
  scope: "bot.installation.read",
  query: InstallationPagesQuerySchema,
  value: InstallationListSchema,
  async handle(ctx, _db, { app, query, room }) {
    const { pageSize, cursor, ...filter } = query;
    const after = cursor === undefined ? null : readCursor(cursor);
    if (cursor !== undefined || pageSize !== undefined) {
      const size = pageSize ?? LIMITS.installationsPageSize;
      await room(size * BYTES_EACH);
      return await readPage(slicesOf(ctx, app.appId, filter, after), size);
    }
    const slices = slicesOf(ctx, app.appId, filter, null);
    const first = await slices.next();
    if (first.done || first.value.next === null) return { items: first.value?.selected.map(toItem) ?? [] };
    await room(SLICE_BYTES);
    return InSlices.of("items", itemsOf(first.value, slices), {});
  },
};

/** The application's installations, slice by slice; those after the first are read in turn with what others read. */
async function* slicesOf(
  { storage, largeAnswers }: Pick<Context, "storage" | "largeAnswers">,
  appId: string,
  filter: InstallationsQuery,
  after: ListPlace | null,
): AsyncGenerator<InstallationSlice, undefined> {
  let bytes = 0;
  for (let place = after; ; bytes = SLICE_BYTES) {
    const slice = await largeAnswers.read(bytes, () => readInstallationSlice(storage.db, appId, filter, place));
    await storage.synced();
    yield slice;
    if (slice.next === null) return;
    place = slice.next;
  }
}

async function* itemsOf(
  first: InstallationSlice,
  others: AsyncGenerator<InstallationSlice>,
): AsyncGenerator<Installation[]> {
  yield first.selected.map(toItem);
  for await (const { selected } of others) yield selected.map(toItem);
}

async function readPage(
  slices: AsyncGenerator<InstallationSlice>,
  pageSize: number,
): Promise<Static<typeof InstallationListSchema>> {
  const found: InstallationSlice["selected"] = [];
  for await (const { selected } of slices) {
    found.push(...selected);
    // One more than the page holds tells whether there is another.
    if (found.length > pageSize) break;
  }
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  const nextCursor = found.length > pageSize && last !== undefined ? writeCursor(last.place) : null;
  return { items: page.map(toItem), nextCursor };
}

function toItem({ installation }: InstallationSlice["selected"][number]): Installation {
  return installation;
}
