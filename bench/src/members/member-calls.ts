import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { contentJson } from "../load/message-kinds.ts";
import type { Requests, Sender } from "../load/signed-requests.ts";

/** What members do, each measured by itself. */
export const POSTS = ["posts", "posts with a mention of a bot"] as const;
export const READS = ["conversations", "history", "changes"] as const;
export type Work = (typeof POSTS)[number] | (typeof READS)[number];

/** The path of a read. */
export function readPath(read: (typeof READS)[number], { groupId }: Sender): string {
  if (read === "conversations") return CLIENT_ENDPOINTS.listConversations.path;
  const endpoint = read === "history" ? CLIENT_ENDPOINTS.listMessages : CLIENT_ENDPOINTS.listChanges;
  return pathOf(endpoint, { conversationId: `group:${groupId}` });
}

/** One request, as often as it is asked for. */
export function repeated(request: Buffer, count: number): Requests {
  return { count, at: () => request };
}

/** A member's call as bytes. */
export function requestOf(work: Work, sender: Sender, token: string): Buffer {
  const isRead = work === "conversations" || work === "history" || work === "changes";
  return isRead ? getOf(readPath(work, sender), token) : postOf(work, sender, token);
}

/** A GET as bytes. */
export function getOf(path: string, token: string): Buffer {
  return Buffer.from(`${[`GET ${path} HTTP/1.1`, ...headers(token)].join("\r\n")}\r\n\r\n`);
}

function postOf(work: (typeof POSTS)[number], { groupId, appId }: Sender, token: string): Buffer {
  const path = pathOf(CLIENT_ENDPOINTS.postMessage, { conversationId: `group:${groupId}` });
  const content = JSON.parse(contentJson("text", 0));
  const body = JSON.stringify({
    msgType: "text",
    content: work === "posts" ? content : { ...content, mentions: [appId] },
  });
  const lines = [
    `POST ${path} HTTP/1.1`,
    ...headers(token),
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

function headers(token: string): string[] {
  return ["Host: 127.0.0.1", "User-Agent: portico-bench", "Accept: application/json", `Authorization: Bearer ${token}`];
}
