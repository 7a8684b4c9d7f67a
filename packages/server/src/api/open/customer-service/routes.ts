import { openApi } from "../gate/open-api.ts";
import type { OpenContext } from "../parts.ts";
import { assignAgent } from "./assign-agent.ts";
import { authVisitor } from "./auth-visitor.ts";
import { closeSession } from "./close-session.ts";
import { createSession } from "./create-session.ts";
import { getAgentStatus } from "./get-agent-status.ts";
import { getSession } from "./get-session.ts";
import { getVisitor } from "./get-visitor.ts";
import { listVisitorMessages } from "./list-visitor-messages.ts";
import { sendAgentMessage } from "./send-agent-message.ts";
import { sendVisitorMessage } from "./send-visitor-message.ts";

/** The customer-service part of the open API (docs/contract/customer-service.md#the-open-api). */
export function customerRoutes(ctx: OpenContext) {
  return openApi(ctx, (add) => {
    add(authVisitor);
    add(getVisitor);
    add(sendVisitorMessage);
    add(listVisitorMessages);
    add(sendAgentMessage);
    add(createSession);
    add(closeSession);
    add(getSession);
    add(assignAgent());
    add(getAgentStatus);
  });
}
