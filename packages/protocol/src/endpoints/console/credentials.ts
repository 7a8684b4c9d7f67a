import { CredentialListSchema, NewCredentialSchema } from "../../schemas/index.ts";
import type { ConsoleEndpoint } from "../console-endpoint.ts";

/** An application's credentials (docs/contract/applications.md#credentials). */
export const CREDENTIAL_ENDPOINTS = {
  listCredentials: {
    method: "GET",
    path: "/api/open/console/v1/apps/:appId/credentials",
    summary: "List an application's credentials",
    access: "viewer",
    value: CredentialListSchema,
    errors: [],
  },
  rotateCredential: {
    method: "POST",
    path: "/api/open/console/v1/apps/:appId/credentials",
    summary: "Rotate an application's credential; the new one is shown this once",
    access: "owner",
    value: NewCredentialSchema,
    errors: ["CREDENTIALS_IN_GRACE_TOO_MANY"],
  },
  revokeOldCredentials: {
    method: "POST",
    path: "/api/open/console/v1/apps/:appId/credentials/revoke-old",
    summary: "End the grace of an application's old credentials",
    access: "owner",
    value: CredentialListSchema,
    errors: [],
  },
} as const satisfies Record<string, ConsoleEndpoint>;
