import { setTimeout as sleep } from "node:timers/promises";
import { FailureError } from "./command.ts";
import { type Session, signInClient } from "./console-session.ts";
import { invalidAnswer } from "./invalid-answer.ts";
import { qrLines } from "./qr-lines.ts";
import { passSecondStep } from "./second-step.ts";
import { complain } from "./terminal.ts";

const POLL_EVERY_MS = 1_000;

/**
 * Shows a QR code and waits until a member has scanned it with the messenger and confirmed.
 *
 * @throws FailureError when nobody confirms in time; ConsoleRefusedError or TransportError.
 */
export async function beginQrLogin(baseUrl: string, code?: string): Promise<Session> {
  const { client, refreshToken } = signInClient({ baseUrl });
  const { qrToken, qrImage } = await client.generateQr();
  complain(...(qrLines(qrImage) ?? invalidAnswer("a QR code")), "Scan this with the messenger, and confirm there.");
  for (let shown = "pending"; ; await sleep(POLL_EVERY_MS)) {
    const { status, accessToken, developerId, secondFactor } = await client.getQrStatus({ query: { qrToken } });
    if (status === "confirmed" && secondFactor !== undefined) {
      const login = await passSecondStep(client, { secondFactor }, code);
      return { ...login, refreshToken: refreshToken() };
    }
    if (status === "confirmed") {
      if (accessToken === undefined || developerId === undefined) invalidAnswer("a login");
      return { accessToken, refreshToken: refreshToken(), developerId };
    }
    if (status === "expired") throw new FailureError("the code has expired; run `portico login --qr` again");
    if (status === "scanned" && shown !== status) complain("Scanned; waiting to be confirmed in the messenger.");
    shown = status;
  }
}
