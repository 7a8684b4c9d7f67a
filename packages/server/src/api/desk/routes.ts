import { clientApi } from "../common/member-route.ts";
import { createCannedReply } from "./canned-replies/create-canned-reply.ts";
import { deleteCannedReply } from "./canned-replies/delete-canned-reply.ts";
import { listCannedReplies } from "./canned-replies/list-canned-replies.ts";
import { updateCannedReply } from "./canned-replies/update-canned-reply.ts";
import { chooseStatus } from "./choose-status.ts";
import { listAgents } from "./list-agents.ts";
import { listApps } from "./list-apps.ts";
import { listMessages } from "./messages/list-messages.ts";
import { postMessage } from "./messages/post-message.ts";
import { listNotes } from "./notes/list-notes.ts";
import { postNote } from "./notes/post-note.ts";
import type { DeskContext } from "./parts.ts";
import { acceptSession } from "./sessions/accept-session.ts";
import { closeSession } from "./sessions/close-session.ts";
import { getSession } from "./sessions/get-session.ts";
import { listSessions } from "./sessions/list-sessions.ts";
import { markRead } from "./sessions/mark-read.ts";
import { transferSession } from "./sessions/transfer-session.ts";
import { getVisitor } from "./visitors/get-visitor.ts";
import { search } from "./visitors/search.ts";

/** The agents' API (docs/contract/customer-service.md#the-desk). They upload files with the members' client API. */
export function deskRoutes(ctx: DeskContext) {
  return clientApi(ctx, (add) => {
    add(listApps);
    add(chooseStatus);
    add(listAgents);
    add(listSessions);
    add(getSession);
    add(acceptSession);
    add(closeSession);
    add(transferSession);
    add(listMessages);
    add(postMessage);
    add(markRead);
    add(listNotes);
    add(postNote);
    add(getVisitor);
    add(search);
    add(listCannedReplies);
    add(createCannedReply);
    add(updateCannedReply);
    add(deleteCannedReply);
  });
}
