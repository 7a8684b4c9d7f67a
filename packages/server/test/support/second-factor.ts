import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import { type Account, ConsoleClient, logIn } from "./console.ts";
import type { World } from "./world.ts";

/** So long each code of an authenticator app is the present one. */
export const STEP_MS = 30_000;

/** The code that an authenticator app shows at a time. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
}

/** Turns the second factor of a developer on; its first code is used up, and the clock stands at the next one. */
export async function turnOn(world: World, account: Account): Promise<{ secret: string; recoveryCodes: string[] }> {
  const client = await ConsoleClient.logIn(world, account);
  const { secret } = await client.ok("POST", "me/second-factor", { password: account.password });
  const code = codeAt(secret, world.clock.now());
  const { recoveryCodes } = await client.ok("POST", "me/second-factor/confirm", { code });
  world.clock.turn(STEP_MS);
  return { secret, recoveryCodes };
}

/** Begins a sign-in, which asks for a second step; its challenge. */
export async function challengeOf(world: World, account: Account, url = world.url): Promise<string> {
  const answer = await logIn({ url }, account);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers["set-cookie"], undefined, "no cookie comes before the second step");
  return answer.json.secondFactor.challenge;
}
