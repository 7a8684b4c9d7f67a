import type { Context } from "../../common/context.ts";
import { openApi } from "../gate/open-route.ts";
import { assignAgent } from "./assign-agent.ts";
import { authVisitor } from "./auth-visitor.ts";
import { closeSession } from "./close-session.ts";
import { createSession } from "./create-session.ts";
import { readAgentStatus } from "./get-agent-status.ts";
import { readSession } from "./get-session.ts";
import { readVisitor } from "./get-visitor.ts";
import { listMessagesOfVisitor } from "./list-messages.ts";
import { sendAgentMessage } from "./send-agent-message.ts";
import { sendMessage } from "./send-message.ts";

/** The customer-service part of the open API (docs/contract/customer-service.md#the-open-api). */
export function customerRoutes(ctx: Context) {
  return openApi(ctx, (add) => {
    add(authVisitor);
    add(readVisitor);
    add(sendMessage);
    add(listMessagesOfVisitor);
    add(sendAgentMessage);
    add(createSession);
    add(closeSession);
    add(readSession);
    add(assignAgent());
    add(readAgentStatus);
  });
}
