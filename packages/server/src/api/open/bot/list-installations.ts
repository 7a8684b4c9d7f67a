import { type Installation, LIMITS } from "@portico/protocol";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import type { InstallationListSchema } from "@portico/protocol/schemas";
import type { Static } from "typebox";
import {
  BEGINNING,
  type InstallationSlice,
  type InstallationTexts,
  type ListPlace,
  listInstallationSlice,
  listInstallationTexts,
} from "../../../domain/applications/installations/installation-list.ts";
import { InSlices } from "../../../platform/http/in-slices.ts";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { JsonText } from "../../../platform/http/json-text.ts";
import { SLICE_BYTES } from "../../../platform/http/large-answers.ts";
import type { SlicedParts } from "../../common/parts.ts";
import type { OpenRoute } from "../gate/open-route.ts";
import { parseCursor, writeCursor } from "./installation-cursor.ts";

/** The approximate size of an installation in an answer. */
const BYTES_EACH = 150;

/**
 * GET /api/open/v2/bot/installations (docs/contract/messages.md#targets): all of them, read while the answer is
 * written; or one page, if the call asks for pages.
 */
export const listInstallations: OpenRoute<typeof OPEN_ENDPOINTS.listInstallations, SlicedParts> = {
  endpoint: OPEN_ENDPOINTS.listInstallations,
  async handle(ctx, _db, { app, query, room }) {
    const { db, dialect } = ctx.storage;
    const { pageSize, cursor, ...filter } = query;
    const after = cursor === undefined ? BEGINNING : parseCursor(cursor);
    if (cursor !== undefined || pageSize !== undefined) {
      const size = pageSize ?? LIMITS.installationsPageSize;
      await room(size * BYTES_EACH);
      const slices = slicesOf(ctx, after, (place) => listInstallationSlice(db, app.appId, filter, place));
      return await readPage(slices, size);
    }
    const slices = slicesOf(ctx, after, (place) => listInstallationTexts(db, dialect, app.appId, filter, place));
    const first = await slices.next();
    const isOne = first.done === true || first.value.next === null;
    if (!isOne) await room(SLICE_BYTES);
    return InSlices.of("items", itemsOf(first, slices), {}, isOne);
  },
};

/** Yields the list in slices; reading slices after the first alternates with other callers' reads. */
async function* slicesOf<Slice extends { next: ListPlace | null }>(
  { storage, largeAnswers }: SlicedParts,
  after: ListPlace,
  read: (place: ListPlace) => Promise<Slice>,
): AsyncGenerator<Slice, undefined> {
  let bytes = 0;
  for (let place = after; ; bytes = SLICE_BYTES) {
    const slice = await largeAnswers.read(bytes, () => read(place));
    await storage.synced();
    yield slice;
    if (slice.next === null) return;
    place = slice.next;
  }
}

async function* itemsOf(
  first: IteratorResult<InstallationTexts, undefined>,
  others: AsyncGenerator<InstallationTexts>,
): AsyncGenerator<JsonItems> {
  if (first.value !== undefined) yield textsIn(first.value);
  for await (const slice of others) yield textsIn(slice);
}

function textsIn({ items }: InstallationTexts): JsonItems {
  return JsonItems.of(items === null ? [] : [new JsonText(items)]);
}

async function readPage(
  slices: AsyncGenerator<InstallationSlice>,
  pageSize: number,
): Promise<Static<typeof InstallationListSchema>> {
  const found: InstallationSlice["selected"] = [];
  for await (const { selected } of slices) {
    found.push(...selected);
    // One more item than the page shows whether there is another page.
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
