import type { ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import { assertSuccess } from "./assert-answer.ts";
import { type Account, consoleCall } from "./console.ts";
import type { Answer } from "./http.ts";
import type { MemberClient } from "./member.ts";
import type { World } from "./world.ts";

/** A member of Acme with a developer's phone number, who can sign that developer in. */
export function messengerOf({ phone }: Account) {
  return { tenantId: "t_acme", username: `m${phone}`, password: `messenger of ${phone}` };
}

/** A file with such a member of each of the accounts. */
export function withMessengers(file: ProvisioningFile, ...accounts: Account[]): ProvisioningFile {
  const members = accounts.map((account) => {
    const { tenantId: tenant, ...login } = messengerOf(account);
    return { tenant, userId: `u_${login.username}`, name: "Messenger", phone: account.phone, ...login };
  });
  return { ...file, members: [...(file.members ?? []), ...members] };
}

/** Begins a sign-in by QR code, which the member scans, and confirms. @returns its token, which nobody has polled. */
export async function qrToken(
  world: World,
  member: MemberClient,
  state: "scanned" | "confirmed" = "confirmed",
): Promise<string> {
  // A process begins a limited number of sign-ins per second of its clock.
  world.clock.turn(1_000);
  const token: string = (await consoleCall(world, "POST", "auth/qr/generate")).json.qrToken;
  assertSuccess(await member.post("qr/scan", { qrToken: token }));
  if (state === "confirmed") assertSuccess(await member.post("qr/confirm", { qrToken: token }));
  return token;
}

/** Asks for the state of a sign-in, as the browser does that began it. */
export function pollQr(world: { url: string }, token: string): Promise<Answer> {
  return consoleCall(world, "GET", `auth/qr/status?qrToken=${token}`);
}
