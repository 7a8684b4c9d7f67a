import { addDiscoveryRoutes } from "./discovery.ts";
import { addGroupRoutes } from "./groups.ts";
import { type ScimApiParts, scimApi } from "./scim-route.ts";
import { addUserRoutes } from "./users.ts";

/** SCIM 2.0 (RFC 7643 and 7644), for the directories of tenants: docs/operations.md. */
export function scimRoutes(ctx: ScimApiParts) {
  return scimApi(ctx, (add) => {
    addDiscoveryRoutes(add);
    addUserRoutes(ctx, add);
    addGroupRoutes(ctx, add);
  });
}
