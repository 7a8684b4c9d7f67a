import {
  ConsoleInstallationListSchema,
  ConsoleInstallationsQuerySchema,
  InstallableMembersQuerySchema,
  InstallableMembersSchema,
  InstallationSchema,
  MemberAccountBodySchema,
  UninstallSchema,
} from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

/** Installations of a bot (docs/contract/console.md#installations). */
export const INSTALLATION_ENDPOINTS = {
  listInstallations: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/bot-installations",
    summary: "List where a bot is or was installed",
    access: "viewer",
    tenant: true,
    query: ConsoleInstallationsQuerySchema,
    value: ConsoleInstallationListSchema,
    errors: [],
  },
  installForMember: {
    method: "POST",
    path: "/api/open/console/v1/apps/:appId/bot-installations",
    summary: "Install a bot for a member of the tenant",
    access: "viewer",
    tenant: true,
    body: MemberAccountBodySchema,
    value: InstallationSchema,
    errors: ["MEMBER_NOT_FOUND", "MEMBER_DISABLED", "ONLY_BOTS_INSTALLED", "INSTALLED_APP_NOT_ACTIVE"],
  },
  uninstall: {
    method: "DELETE",
    path: "/api/open/console/v1/apps/:appId/bot-installations",
    summary: "Uninstall a bot from a member or a group; the conversation stays readable",
    access: "owner",
    tenant: true,
    query: UninstallSchema,
    body: UninstallSchema,
    bodyOptional: true,
    value: InstallationSchema,
    errors: ["INSTALLATION_AMBIGUOUS", "MEMBER_NOT_FOUND", "INSTALLATION_NOT_FOUND"],
  },
  listInstallableMembers: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/bot-installation-members",
    summary: "List whom a bot can be installed for",
    access: "viewer",
    tenant: true,
    query: InstallableMembersQuerySchema,
    value: InstallableMembersSchema,
    errors: [],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
