import type { AddConsoleRoute } from "../../common/console/console-route.ts";
import type { ConsoleContext } from "../parts.ts";
import { installForMember } from "./install-for-member.ts";
import { listInstallableMembers } from "./list-installable-members.ts";
import { listInstallations } from "./list-installations.ts";
import { uninstall } from "./uninstall.ts";

/** Endpoints for installations of an application. */
export function addInstallationRoutes(add: AddConsoleRoute<ConsoleContext>): void {
  add(installForMember);
  add(listInstallations);
  add(uninstall);
  add(listInstallableMembers);
}
