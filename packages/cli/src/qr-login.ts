import { setTimeout as sleep } from "node:timers/promises";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { consoleExchange } from "@portico/sdk/console";
import { FailureError } from "./command.ts";
import type { Session } from "./console-session.ts";
import { qrLines } from "./qr-lines.ts";
import { complain } from "./terminal.ts";
import { unpromised } from "./unpromised.ts";

const POLL_EVERY_MS = 1_000;

/**
 * Shows a QR code and waits until a member has scanned it with the messenger and confirmed.
 *
 * @throws FailureError when nobody confirms in time; ConsoleRefusedError or TransportError.
 */
export async function beginQrLogin(baseUrl: string): Promise<Session> {
  const { generateQr, getQrStatus } = CONSOLE_ENDPOINTS;
  const { qrToken, qrImage } = (await consoleExchange(generateQr, {}, { baseUrl })).value;
  complain(...(qrLines(qrImage) ?? unpromised("a QR code")), "Scan this with the messenger, and confirm there.");
  for (let shown = "pending"; ; await sleep(POLL_EVERY_MS)) {
    const { value, refreshToken } = await consoleExchange(getQrStatus, { query: { qrToken } }, { baseUrl });
    const { status, accessToken, developerId } = value;
    if (status === "confirmed") {
      if (accessToken === undefined || developerId === undefined) unpromised("a login");
      return { accessToken, refreshToken, developerId };
    }
    if (status === "expired") throw new FailureError("the code has expired; run `portico login --qr` again");
    if (status === "scanned" && shown !== status) complain("Scanned; waiting to be confirmed in the messenger.");
    shown = status;
  }
}
