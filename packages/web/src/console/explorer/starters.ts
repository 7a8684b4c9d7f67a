import type { OperationName } from "../../shared/calls/snippets/snippet-call.ts";

/** What a call's body begins as: enough for a first try, once the names in it are one's own. */
export const STARTERS: Readonly<Partial<Record<OperationName, unknown>>> = {
  sendMessage: { receiveIdType: "group_id", receiveId: "", msgType: "text", content: { text: "Hello" } },
  replyMessage: { receiveIdType: "group_id", receiveId: "", msgType: "text", content: { text: "Hello" } },
  updateCard: { card: { schema: "2.0", body: { elements: [{ tag: "markdown", content: "**Done**" }] } } },
  authVisitor: { thirdUserId: "", nickname: "" },
  sendVisitorMessage: { visitorId: "", content: "Hello" },
  sendAgentMessage: { agentId: "", visitorId: "", content: "Hello" },
};
