import { ApiError } from "@portico/protocol";
import { JsonItems } from "../../../platform/http/json-items.ts";
import { JsonText } from "../../../platform/http/json-text.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { openConversation } from "../conversation-access.ts";
import type { PageText } from "../message-texts.ts";
import { conversationReach, type Reach } from "./reach.ts";
import type { Shown } from "./seq-cache.ts";
import type { ShownMessages } from "./shown-messages.ts";

/** To show pages of messages. */
export interface PageParts {
  storage: Storage;
  shown: ShownMessages;
}

/**
 * A page of a member's conversation, as it has been shown before or by `read`. Whether the member may read it, and how far it
 * has come, is looked up each time. Null when the page has to be read otherwise.
 *
 * @param name names the page within the conversation.
 * @throws ApiError 400008 when the conversation is not one of the member's.
 */
export async function pageOf(
  { storage, shown: { pages } }: PageParts,
  reach: Reach,
  name: string,
  read: () => Promise<PageText>,
): Promise<JsonItems | null> {
  const key = `${name} ${reach.named.conversationKey}`;
  const load = async () => (await pages.load(key, async () => encoded(await read())))?.value ?? null;
  if (pages.mayHave(key)) {
    const lastSeq = await storage.ask(conversationReach, reach);
    if (lastSeq === null) throw new ApiError("CONVERSATION_UNREACHABLE");
    return asItems((await pages.getSoon(key, lastSeq)) ?? (await load()));
  }
  // Asked together: one trip.
  const [, bytes] = await Promise.all([openConversation(storage.db, reach.member, reach.named), load()]);
  return asItems(bytes);
}

function encoded({ items, lastSeq }: PageText): Shown<Buffer> | null {
  if (items === null) return null;
  return { value: JsonItems.of(items === "" ? [] : [new JsonText(items)]).take(), lastSeq };
}

function asItems(bytes: Buffer | null): JsonItems | null {
  return bytes && JsonItems.encoded(bytes);
}
