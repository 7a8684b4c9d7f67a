import type { AddRoute } from "../common/console/console-route.ts";
import { createDeveloper } from "./developers/create-developer.ts";
import { readDevelopers } from "./developers/list-developers.ts";
import { updateDeveloper } from "./developers/update-developer.ts";
import { postGroupMembers } from "./groups/add-group-members.ts";
import { createGroup } from "./groups/create-group.ts";
import { readGroup } from "./groups/get-group.ts";
import { readGroups } from "./groups/list-groups.ts";
import { removeGroupMember } from "./groups/remove-group-member.ts";
import { putGroupMembers } from "./groups/replace-group-members.ts";
import { updateGroup } from "./groups/update-group.ts";
import { createMember } from "./members/create-member.ts";
import { readMembers } from "./members/list-members.ts";
import { updateMember } from "./members/update-member.ts";
import { readOperatorAudit } from "./requests/list-audit.ts";
import { createTenant } from "./tenants/create-tenant.ts";
import { readTenants } from "./tenants/list-tenants.ts";
import { updateTenant } from "./tenants/update-tenant.ts";

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
