import type { AddConsoleRoute } from "../common/console/console-route.ts";
import { createDeveloper } from "./developers/create-developer.ts";
import { listDevelopers } from "./developers/list-developers.ts";
import { resetSecondFactor } from "./developers/reset-second-factor.ts";
import { updateDeveloper } from "./developers/update-developer.ts";
import { addGroupMembers } from "./groups/add-group-members.ts";
import { createGroup } from "./groups/create-group.ts";
import { getGroup } from "./groups/get-group.ts";
import { listGroups } from "./groups/list-groups.ts";
import { removeGroupMember } from "./groups/remove-group-member.ts";
import { replaceGroupMembers } from "./groups/replace-group-members.ts";
import { updateGroup } from "./groups/update-group.ts";
import { createMember } from "./members/create-member.ts";
import { importMembers } from "./members/import-members.ts";
import { listMembers } from "./members/list-members.ts";
import { updateMember } from "./members/update-member.ts";
import type { OperatorContext } from "./parts.ts";
import { listAudit } from "./requests/list-audit.ts";
import { createTenant } from "./tenants/create-tenant.ts";
import { listTenants } from "./tenants/list-tenants.ts";
import { updateTenant } from "./tenants/update-tenant.ts";

/** Operators' endpoints for tenants, members, groups, developers, requests and the audit log. */
export function addOperatorDirectoryRoutes(add: AddConsoleRoute<OperatorContext>): void {
  add(listTenants);
  add(createTenant);
  add(updateTenant);
  add(listMembers);
  add(createMember);
  add(importMembers);
  add(updateMember);
  add(listGroups);
  add(getGroup);
  add(createGroup);
  add(updateGroup);
  add(replaceGroupMembers);
  add(addGroupMembers);
  add(removeGroupMember);
  add(listDevelopers);
  add(createDeveloper);
  add(updateDeveloper);
  add(resetSecondFactor);
  add(listAudit);
}
