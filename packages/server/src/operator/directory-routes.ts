import type { AddRoute } from "../console/console-route.ts";
import { createDeveloper } from "./create-developer.ts";
import { createGroup } from "./create-group.ts";
import { createMember } from "./create-member.ts";
import { createTenant } from "./create-tenant.ts";
import { postGroupMembers } from "./post-group-members.ts";
import { putGroupMembers } from "./put-group-members.ts";
import { readOperatorAudit } from "./read-audit.ts";
import { readDevelopers } from "./read-developers.ts";
import { readGroup } from "./read-group.ts";
import { readGroups } from "./read-groups.ts";
import { readMembers } from "./read-members.ts";
import { readTenants } from "./read-tenants.ts";
import { removeGroupMember } from "./remove-group-member.ts";
import { updateDeveloper } from "./update-developer.ts";
import { updateGroup } from "./update-group.ts";
import { updateMember } from "./update-member.ts";
import { updateTenant } from "./update-tenant.ts";

/** What operators do with tenants, members, groups and developers, and what all of them have done. */
export function addOperatorDirectoryRoutes(add: AddRoute): void {
  add(readTenants);
  add(createTenant);
  add(updateTenant);
  add(readMembers);
  add(createMember);
  add(updateMember);
  add(readGroups);
  add(readGroup);
  add(createGroup);
  add(updateGroup);
  add(putGroupMembers);
  add(postGroupMembers);
  add(removeGroupMember);
  add(readDevelopers);
  add(createDeveloper);
  add(updateDeveloper);
  add(readOperatorAudit);
}
