import { consoleApi } from "../common/console/console-route.ts";
import type { Context } from "../common/context.ts";
import { addOperatorAppRoutes } from "./apps/routes.ts";
import { addOperatorDirectoryRoutes } from "./directory-routes.ts";
import { getRequest } from "./requests/get-request.ts";

/** The operators' API: console endpoints for operators only (docs/contract/console.md). */
export function operatorRoutes(ctx: Context) {
  return consoleApi(ctx, (add) => {
    addOperatorAppRoutes(add);
    addOperatorDirectoryRoutes(add);
    add(getRequest);
  });
}
