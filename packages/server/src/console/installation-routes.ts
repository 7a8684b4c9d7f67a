import { addAgent } from "./add-agent.ts";
import type { AddRoute } from "./console-route.ts";
import { installForMember } from "./install-for-member.ts";
import { readAgents } from "./read-agents.ts";
import { readInstallableMembers } from "./read-installable-members.ts";
import { readInstallations } from "./read-installations.ts";
import { removeAgent } from "./remove-agent.ts";
import { uninstall } from "./uninstall.ts";

/** Where a bot is installed, and who serves an application's visitors. */
export function addInstallationRoutes(add: AddRoute): void {
  add(installForMember);
  add(readInstallations);
  add(uninstall);
  add(readInstallableMembers);
  add(readAgents);
  add(addAgent);
  add(removeAgent);
}
