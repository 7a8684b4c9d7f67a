import { contentOfFile } from "../../shared/talk/live/content-of-file.ts";
import type { OnUpload, Outgoing } from "../../shared/talk/live/outbox.ts";
import { deskApi } from "./desk-api.ts";

/**
 * Sends a message to a session's visitor: a file is uploaded first, unless an earlier try has done that.
 *
 * @returns the message's id.
 */
export async function deliver(
  params: { appId: string; sessionId: string },
  outgoing: Outgoing,
  onUpload: OnUpload,
  signal: AbortSignal,
): Promise<number> {
  const { draft, clientMessageId } = outgoing;
  const said =
    draft.kind === "text"
      ? { msgType: "text", content: draft.text }
      : await contentOfFile(draft, outgoing, onUpload, signal);
  const { messageId } = await deskApi.postMessage({ params, body: { ...said, clientMessageId } }, { signal });
  return messageId;
}
