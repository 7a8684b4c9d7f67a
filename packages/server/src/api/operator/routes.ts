import { consoleApi } from "../common/console/console-route.ts";
import { addOperatorAppRoutes } from "./apps/routes.ts";
import { addOperatorDirectoryRoutes } from "./directory-routes.ts";
import { getHealth } from "./health/get-health.ts";
import type { OperatorContext } from "./parts.ts";
import { getRequest } from "./requests/get-request.ts";

/** The operators' API: console endpoints for operators only (docs/contract/console.md). */
export function operatorRoutes(ctx: OperatorContext) {
  return consoleApi(ctx, (add) => {
    addOperatorAppRoutes(add);
    addOperatorDirectoryRoutes(add);
    add(getRequest);
    add(getHealth);
  });
}
