import type { ConsoleAccess, ConsoleEndpoint, TenantRule } from "@portico/protocol/endpoints";
import type { FastifyRequest } from "fastify";
import type { Developer } from "../../../domain/accounts/developer.ts";
import { type DeveloperSessionParts, developerOfToken } from "../../../domain/accounts/developer-session.ts";
import { type ConsoleApp, findVisibleApp } from "../../../domain/applications/visible-app.ts";
import { findTenant, isTenantOf } from "../../../domain/directory/tenant-store.ts";
import { bearerToken } from "../../../platform/http/bearer-token.ts";
import { isFromOtherSite } from "../call-origin.ts";
import { ConsoleError } from "./console-error.ts";

/** The result of admission; empty placeholders where the route needs none. */
export interface Admitted {
  developer: Developer;
  tenantId: string;
  app: ConsoleApp;
}

const NOBODY: Developer = { developerId: "", operator: false, sessionId: "", tenantId: null };
const NO_APP: ConsoleApp = { appId: "", type: "BOT", tenantId: "", ownerId: null, status: "UNPUBLISHED" };

/** The tenant header, as Node spells it. */
const TENANT_HEADER = "x-open-tenant-id";

/**
 * Decides who may call what in the console; all checks are here. Order: the caller's identity, permission for the
 * endpoint, the tenant, the application.
 *
 * @throws ApiError, ConsoleError
 */
export async function admit(
  ctx: DeveloperSessionParts,
  request: FastifyRequest,
  { access, tenant }: Pick<ConsoleEndpoint, "access" | "tenant">,
  params: Readonly<Record<string, string>>,
): Promise<Admitted> {
  if (access === "public") {
    if (isFromOtherSite(request)) throw new ConsoleError("CROSS_SITE_REQUEST");
    return { developer: NOBODY, tenantId: "", app: NO_APP };
  }
  const developer = await developerOfToken(ctx, bearerToken(request));
  if (access === "operator" && !developer.operator) throw new ConsoleError("NOT_OPERATOR");
  const tenantId = tenant ? await tenantOf(ctx, request, developer, { access, tenant }) : "";
  if (access !== "viewer" && access !== "owner") return { developer, tenantId, app: NO_APP };

  const app = await findVisibleApp(ctx.storage.db, params.appId ?? "", developer);
  if (app === null || (tenantId !== "" && app.tenantId !== tenantId)) throw new ConsoleError("APP_NOT_FOUND");
  if (access === "owner" && app.ownerId !== developer.developerId) {
    throw new ConsoleError("NOT_APP_OWNER");
  }
  return { developer, tenantId, app };
}

/**
 * @throws ApiError 400 without a tenant, 403 for one that the developer does not belong to; 404 when an operator's does
 * not exist.
 */
async function tenantOf(
  { storage }: DeveloperSessionParts,
  request: FastifyRequest,
  developer: Developer,
  { access, tenant }: { access: ConsoleAccess; tenant: TenantRule },
): Promise<string> {
  const named = request.headers[TENANT_HEADER];
  const tenantId = typeof named === "string" ? named.trim() : "";
  if (tenantId === "" && tenant === "optional") return "";
  if (tenantId === "" || tenantId.includes("\0")) throw new ConsoleError("TENANT_REQUIRED");
  if (access === "operator") {
    if ((await findTenant(storage.db, tenantId)) === null) throw new ConsoleError("TENANT_NOT_FOUND");
  } else if (!(await isTenantOf(storage.db, developer, tenantId))) {
    throw new ConsoleError("TENANT_FORBIDDEN");
  }
  return tenantId;
}
