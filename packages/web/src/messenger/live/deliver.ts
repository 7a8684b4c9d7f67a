import { createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberApi, memberExchange } from "../../shared/session/member.ts";
import type { OnUpload, Outgoing } from "../../shared/talk/live/outbox.ts";
import { uploadFetch } from "../../shared/talk/live/upload-fetch.ts";

/** Sizes that a message may say of its picture. */
const MAX_PIXELS = 1_000_000;

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

async function contentOf({ draft, fileKey: uploaded }: Outgoing, onUpload: OnUpload, signal: AbortSignal) {
  if (draft.kind === "text") {
    const { text, mentions } = draft;
    return { msgType: "text", content: { text, ...(mentions.length > 0 && { mentions }) } };
  }
  const { file, isPicture } = draft;
  const fileKey = uploaded ?? (await upload(file, onUpload, signal));
  if (!isPicture) return { msgType: "file", content: { fileKey } };
  return { msgType: "image", content: { fileKey, ...(await sizeOf(file)) } };
}

async function upload(file: File, onUpload: OnUpload, signal: AbortSignal): Promise<string> {
  const client = createApiClient(
    CLIENT_ENDPOINTS,
    memberExchange({ fetch: uploadFetch((progress) => onUpload({ progress })) }),
  );
  const { fileKey } = await client.uploadFile({ file, fileName: file.name }, { signal });
  onUpload({ fileKey });
  return fileKey;
}

/** In pixels; 0 by 0 where the browser cannot read the picture. */
async function sizeOf(file: File): Promise<{ width: number; height: number }> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width: Math.min(width, MAX_PIXELS), height: Math.min(height, MAX_PIXELS) };
  } catch {
    return { width: 0, height: 0 };
  }
}
