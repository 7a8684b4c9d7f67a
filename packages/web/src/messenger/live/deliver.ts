import { memberApi } from "../../shared/session/member.ts";
import { contentOfFile } from "../../shared/talk/live/content-of-file.ts";
import type { OnUpload, Outgoing } from "../../shared/talk/live/outbox.ts";

/**
 * Sends a message: a file is uploaded first, unless an earlier try has done that.
 *
 * @returns the message's id.
 */
export async function deliver(
  conversationId: string,
  outgoing: Outgoing,
  onUpload: OnUpload,
  signal: AbortSignal,
): Promise<number> {
  const body = { ...(await contentOf(outgoing, onUpload, signal)), clientMessageId: outgoing.clientMessageId };
  const { messageId } = await memberApi.postMessage({ params: { conversationId }, body }, { signal });
  return messageId;
}

async function contentOf(outgoing: Outgoing, onUpload: OnUpload, signal: AbortSignal) {
  const { draft } = outgoing;
  if (draft.kind === "file") return await contentOfFile(draft, outgoing, onUpload, signal);
  const { text, mentions = [] } = draft;
  const ids = mentions.map(({ userId }) => userId);
  return { msgType: "text", content: { text, ...(ids.length > 0 && { mentions: ids }) } };
}
