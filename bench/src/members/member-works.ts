import { CLIENT_ENDPOINTS, pathOf } from "@portico/protocol/endpoints";
import { getOf, postOf } from "../beside/bearer-requests.ts";
import type { ReadWork, SendWork, Works } from "../beside/work.ts";
import { isSuccess } from "../load/answer.ts";
import { contentJson } from "../load/message-kinds.ts";
import { inTurn, type Sender } from "../load/signed-requests.ts";

/** What a member of the sender's group does, with the promised shares. */
export function memberWorks({ groupId, appId }: Sender, token: string): Works {
  const conversation = { conversationId: `group:${groupId}` };
  const content = JSON.parse(contentJson("text", 0));
  const post = (name: string, promised: number, said: object): SendWork => {
    const request = postOf(pathOf(CLIENT_ENDPOINTS.postMessage, conversation), token, {
      msgType: "text",
      content: said,
    });
    return { name, promised, perSecond: null, requests: (count) => inTurn([request], count) };
  };
  const read = (name: string, target: string): ReadWork => {
    const request = getOf(target, token);
    return { name, promised: 0.5, target, requests: (count) => inTurn([request], count) };
  };
  return {
    sends: [post("posts", 0.7, content), post("posts with a mention of a bot", 0.5, { ...content, mentions: [appId] })],
    reads: [
      read("conversations", CLIENT_ENDPOINTS.listConversations.path),
      read("history", pathOf(CLIENT_ENDPOINTS.listMessages, conversation)),
      read("changes", pathOf(CLIENT_ENDPOINTS.listChanges, conversation)),
    ],
    secret: "",
    succeeds: isSuccess,
  };
}
