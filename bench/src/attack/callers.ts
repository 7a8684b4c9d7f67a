import { randomUUID } from "node:crypto";
import { signRequest } from "@portico/protocol/signature";
import type { Sender } from "../load/signed-requests.ts";

/** An application that attacks with its own credential; `more` members are those of an entry in the provisioning file. */
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

/** The access token of a member of the world, whose password is the username. */
export async function signInMember(port: number, username: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/client/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tenantId: "t_bench", username, password: username }),
  });
  if (!answer.ok) throw new Error(`signing ${username} in was answered with ${answer.status}`);
  const { value } = (await answer.json()) as { value: { accessToken: string } };
  return value.accessToken;
}
