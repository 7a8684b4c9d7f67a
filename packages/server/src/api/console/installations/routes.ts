import type { AddRoute } from "../../common/console/console-route.ts";
import { addAgent } from "../customer-service/add-agent.ts";
import { readAgents } from "../customer-service/list-agents.ts";
import { readVisitors } from "../customer-service/list-visitors.ts";
import { removeAgent } from "../customer-service/remove-agent.ts";
import { editAgent } from "../customer-service/update-agent.ts";
import { editVisitor } from "../customer-service/update-visitor.ts";
import { installForMember } from "./install-for-member.ts";
import { readInstallableMembers } from "./list-installable-members.ts";
import { readInstallations } from "./list-installations.ts";
import { uninstall } from "./uninstall.ts";

/** Where a bot is installed; who serves an application's visitors, and who these are. */
export function addInstallationRoutes(add: AddRoute): void {
  add(installForMember);
  add(readInstallations);
  add(uninstall);
  add(readInstallableMembers);
  add(readAgents);
  add(addAgent);
  add(editAgent);
  add(removeAgent);
  add(readVisitors);
  add(editVisitor);
}
