import type { AddRoute } from "../../common/console/console-route.ts";
import { readCredentials } from "../credentials/list-credentials.ts";
import { revokeOldCredentials } from "../credentials/revoke-old-credentials.ts";
import { rotateCredential } from "../credentials/rotate-credential.ts";
import { dropScope } from "../scopes/drop-scope.ts";
import { readAppScopes } from "../scopes/list-app-scopes.ts";
import { requestScopes } from "../scopes/request-scopes.ts";
import { createApp } from "./create-app.ts";
import { readApp } from "./get-app.ts";
import { readAppQuota } from "./get-app-quota.ts";
import { readApps } from "./list-apps.ts";
import { submitApp } from "./submit-app.ts";
import { editApp } from "./update-app.ts";
import { withdrawApp } from "./withdraw-app.ts";

/** What developers do with their applications themselves. */
export function addAppRoutes(add: AddRoute): void {
  add(readApps);
  add(createApp);
  add(readApp);
  add(editApp);
  add(submitApp);
  add(withdrawApp);
  add(readCredentials);
  add(rotateCredential);
  add(revokeOldCredentials);
  add(readAppScopes);
  add(requestScopes);
  add(dropScope);
  add(readAppQuota);
}
