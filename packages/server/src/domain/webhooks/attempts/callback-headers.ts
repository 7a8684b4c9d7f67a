/** Headers of every request to a callback (docs/contract/events.md#verifying-an-address). */
export const CALLBACK_HEADERS = {
  "Content-Type": "application/json; charset=UTF-8",
  "User-Agent": "Portico-Webhook",
} as const;
