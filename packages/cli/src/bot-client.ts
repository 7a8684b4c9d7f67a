import { PorticoClient } from "@portico/sdk";
import type { Credentials } from "./settings.ts";

/** The longest wait before a retry; for a longer one, the user gets the error instead. */
const MAX_RETRY_DELAY_MS = 5_000;

/** A client for one command, with short retries. */
export function botClient(credentials: Credentials): PorticoClient {
  return new PorticoClient({ ...credentials, maxRetryDelayMs: MAX_RETRY_DELAY_MS });
}
