import type { AddConsoleRoute } from "../../common/console/console-route.ts";
import { listCredentials } from "../credentials/list-credentials.ts";
import { revokeOldCredentials } from "../credentials/revoke-old-credentials.ts";
import { rotateCredential } from "../credentials/rotate-credential.ts";
import type { ConsoleContext } from "../parts.ts";
import { dropScope } from "../scopes/drop-scope.ts";
import { listAppScopes } from "../scopes/list-app-scopes.ts";
import { requestScopes } from "../scopes/request-scopes.ts";
import { createApp } from "./create-app.ts";
import { getApp } from "./get-app.ts";
import { getAppQuota } from "./get-app-quota.ts";
import { listApps } from "./list-apps.ts";
import { submitApp } from "./submit-app.ts";
import { updateApp } from "./update-app.ts";
import { withdrawApp } from "./withdraw-app.ts";

/** Developers' endpoints for their applications. */
export function addAppRoutes(add: AddConsoleRoute<ConsoleContext>): void {
  add(listApps);
  add(createApp);
  add(getApp);
  add(updateApp);
  add(submitApp);
  add(withdrawApp);
  add(listCredentials);
  add(rotateCredential);
  add(revokeOldCredentials);
  add(listAppScopes);
  add(requestScopes);
  add(dropScope);
  add(getAppQuota);
}
