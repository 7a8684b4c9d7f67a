import type { AddConsoleRoute } from "../../common/console/console-route.ts";
import { addAgent } from "../customer-service/add-agent.ts";
import { listAgents } from "../customer-service/list-agents.ts";
import { listVisitors } from "../customer-service/list-visitors.ts";
import { removeAgent } from "../customer-service/remove-agent.ts";
import { updateAgent } from "../customer-service/update-agent.ts";
import { updateVisitor } from "../customer-service/update-visitor.ts";
import type { ConsoleContext } from "../parts.ts";
import { installForMember } from "./install-for-member.ts";
import { listInstallableMembers } from "./list-installable-members.ts";
import { listInstallations } from "./list-installations.ts";
import { uninstall } from "./uninstall.ts";

/** Endpoints for installations, agents and visitors of an application. */
export function addInstallationRoutes(add: AddConsoleRoute<ConsoleContext>): void {
  add(installForMember);
  add(listInstallations);
  add(uninstall);
  add(listInstallableMembers);
  add(listAgents);
  add(addAgent);
  add(updateAgent);
  add(removeAgent);
  add(listVisitors);
  add(updateVisitor);
}
