/** Headers of every request to a callback (spec.md, "URL verification"). */
export const CALLBACK_HEADERS = {
  "Content-Type": "application/json; charset=UTF-8",
  "User-Agent": "Portico-Webhook",
} as const;
