import type { AddConsoleRoute } from "../../common/console/console-route.ts";
import type { ConsoleContext } from "../parts.ts";
import { addAgent } from "./add-agent.ts";
import { createCannedReply } from "./create-canned-reply.ts";
import { deleteCannedReply } from "./delete-canned-reply.ts";
import { eraseVisitor } from "./erase-visitor.ts";
import { exportVisitor } from "./export-visitor.ts";
import { getDeskStats } from "./get-desk-stats.ts";
import { listAgents } from "./list-agents.ts";
import { listCannedReplies } from "./list-canned-replies.ts";
import { listVisitors } from "./list-visitors.ts";
import { removeAgent } from "./remove-agent.ts";
import { updateAgent } from "./update-agent.ts";
import { updateCannedReply } from "./update-canned-reply.ts";
import { updateVisitor } from "./update-visitor.ts";

/** Endpoints for an application's agents, visitors, canned replies and figures. */
export function addCustomerServiceRoutes(add: AddConsoleRoute<ConsoleContext>): void {
  add(listAgents);
  add(addAgent);
  add(updateAgent);
  add(removeAgent);
  add(listVisitors);
  add(updateVisitor);
  add(exportVisitor);
  add(eraseVisitor);
  add(listCannedReplies);
  add(createCannedReply);
  add(updateCannedReply);
  add(deleteCannedReply);
  add(getDeskStats);
}
