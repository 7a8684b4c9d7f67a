import type { AppQuota } from "@portico/protocol";

/** The rows of what an application may call. */
export function quotaRows({ isDefault, usedToday, ...limits }: AppQuota) {
  const limit = (name: keyof typeof limits) => `${limits[name]}${isDefault[name] ? " (the default)" : ""}`;
  return [
    ["calls a minute", limit("perMinute")],
    ["calls a day", `${limit("perDay")}, used today: ${usedToday}`],
    ["at the same time", limit("concurrent")],
  ] as const;
}
