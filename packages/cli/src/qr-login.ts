import { setTimeout as sleep } from "node:timers/promises";
import { FailureError } from "./command.ts";
import { consoleUrl, sendToConsole, unpromised } from "./console-exchange.ts";
import { type Session, sessionOf } from "./console-session.ts";
import { textOf } from "./json.ts";
import { qrLines } from "./qr-lines.ts";
import { complain } from "./terminal.ts";

const POLL_EVERY_MS = 1_000;

/**
 * Shows a QR code and waits until a member has scanned it with the messenger, and confirmed.
 *
 * @throws FailureError when nobody does in time; ConsoleRefusedError or TransportError.
 */
export async function beginQrLogin(baseUrl: string): Promise<Session> {
  const { value } = await sendToConsole("POST", consoleUrl(baseUrl, ["auth", "qr", "generate"]), {});
  const qrToken = textOf(value, "qrToken") ?? unpromised("a QR code");
  const lines = qrLines(textOf(value, "qrImage") ?? "") ?? unpromised("a QR code");
  complain(...lines, "Scan this with the messenger, and confirm there.");
  const url = consoleUrl(baseUrl, ["auth", "qr", "status"]);
  url.searchParams.set("qrToken", qrToken);
  for (let shown = "pending"; ; await sleep(POLL_EVERY_MS)) {
    const answer = await sendToConsole("GET", url, {});
    const status = textOf(answer.value, "status") ?? unpromised("a sign-in by QR code");
    if (status === "confirmed") return sessionOf(answer);
    if (status === "expired") throw new FailureError("the code has expired; run `portico login --qr` again");
    if (status === "scanned" && shown !== status) complain("Scanned; waiting to be confirmed in the messenger.");
    shown = status;
  }
}
