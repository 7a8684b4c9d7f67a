import type { AddRoute } from "./console-route.ts";
import { createApp } from "./create-app.ts";
import { dropScope } from "./drop-scope.ts";
import { editApp } from "./edit-app.ts";
import { readApp } from "./read-app.ts";
import { readAppQuota } from "./read-app-quota.ts";
import { readAppScopes } from "./read-app-scopes.ts";
import { readApps } from "./read-apps.ts";
import { readCredentials } from "./read-credentials.ts";
import { requestScopes } from "./request-scopes.ts";
import { revokeOldCredentials } from "./revoke-old-credentials.ts";
import { rotateCredential } from "./rotate-credential.ts";
import { submitApp } from "./submit-app.ts";
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
