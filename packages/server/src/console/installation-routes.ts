import { addAgent } from "./add-agent.ts";
import type { AddRoute } from "./console-route.ts";
import { editAgent } from "./edit-agent.ts";
import { editVisitor } from "./edit-visitor.ts";
import { installForMember } from "./install-for-member.ts";
import { readAgents } from "./read-agents.ts";
import { readInstallableMembers } from "./read-installable-members.ts";
import { readInstallations } from "./read-installations.ts";
import { readVisitors } from "./read-visitors.ts";
import { removeAgent } from "./remove-agent.ts";
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
