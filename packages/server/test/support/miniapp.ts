import type { AppEntry } from "../../src/domain/provisioning/schema.ts";
import { botApp, credentialsOf } from "./acme.ts";
import { owner } from "./console.ts";
import { type Answer, type SignedSending, sendSigned } from "./http.ts";
import type { MemberClient } from "./member.ts";
import type { World } from "./world.ts";

export const SESSION = "/api/open/v2/miniapp/session";

/** A MINI_PROGRAM application of the owner; the members of `other` replace these. */
export function miniApp(appId: string, other: Partial<AppEntry> = {}): AppEntry {
  return botApp(appId, { type: "MINI_PROGRAM", owner: owner.phone, scopes: [], installations: [], ...other });
}

/** A new login code of a member for an application. */
export async function newCode(member: MemberClient, appId: string): Promise<string> {
  return (await member.api.createMiniappCode({ body: { appId } })).code;
}

/** Tries to exchange a code, or another value, as an application; by default at the world's first process. */
export function exchange(
  world: World,
  appId: string,
  code: unknown,
  { url = world.url, ...sending }: Partial<SignedSending> & { url?: string } = {},
): Promise<Answer> {
  const call = { method: "POST", target: SESSION, timestamp: world.clock.now(), body: JSON.stringify({ code }) };
  return sendSigned(url, credentialsOf(appId), { ...call, ...sending });
}
