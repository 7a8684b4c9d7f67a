import { randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";
import { signInMember } from "../load/sign-in.ts";
import type { Sender } from "../load/signed-requests.ts";

/** The provisioning entry of an application that attacks with its own credential; `more` adds members to it. */
export function hostileApp(credential: Omit<Sender, "groupId">, more: object): object {
  const { appId, credentialId, appSecret } = credential;
  return {
    appId,
    tenant: "t_bench",
    status: "ACTIVE",
    type: "BOT",
    credentials: [{ credentialId, appSecret }],
    quota: { perMinute: 1e9, perDay: 1e12, concurrent: 1e6 },
    ...more,
  };
}

/** The headers of a signed call; `body` is JSON text, empty for none. */
export function signedHeaders(
  credential: Omit<Sender, "groupId">,
  method: string,
  target: string,
  body = "",
): Record<string, string> {
  const [path = "", rawQuery = ""] = target.split("?");
  const parts = { method, path, rawQuery, nonce: randomUUID(), timestamp: Date.now(), body };
  const { appId, credentialId, appSecret } = credential;
  return { ...signRequest({ appId, credentialId, appSecret, ...parts }).headers, "Content-Type": "application/json" };
}

/** Signs in a member of the world, whose password is the username; returns the access token. */
export function signInAs(port: number, username: string): Promise<string> {
  return signInMember(port, { tenantId: "t_bench", username, password: username });
}
