import { PorticoClient } from "@portico/sdk";
import type { Credentials } from "./settings.ts";

/** Longest that a command waits before a retry; beyond it, a person would rather be told. */
const MAX_RETRY_DELAY_MS = 5_000;

/** A client for one command: it retries for seconds only. */
export function botClient(credentials: Credentials): PorticoClient {
  return new PorticoClient({ ...credentials, maxRetryDelayMs: MAX_RETRY_DELAY_MS });
}
