import type { RequestExplanation } from "@portico/protocol";
import { ConsoleRefusedError } from "@portico/protocol/client";
import type { ConsoleApi } from "./console-api.ts";

/** The most apps that are searched for a call whose app is unknown. */
const MAX_APPS_ASKED = 100;

/** Whether a text has the form of a request number (time, process, count). App ids do not have it. */
export function isReqNo(text: string): boolean {
  return /^[0-9a-z]{9}[0-9a-f]{12}[0-9a-z]{6,}$/.test(text);
}

/**
 * Finds the explanation of a call of an app. Without an app, an operator finds it in the log of the whole service; for
 * others all their apps are searched, the `likely` one first. Null when it is not found.
 */
export async function findCall(
  api: ConsoleApi,
  reqNo: string,
  { appId, likely }: { appId: string | undefined; likely: string | undefined },
): Promise<RequestExplanation | null> {
  const of = (id: string) => known(api.console.getRequest({ params: { appId: id, reqNo } }));
  if (appId !== undefined) return await of(appId);
  const me = await api.console.getMe();
  if (me.operator) return await known(api.operator.getRequest({ params: { reqNo } }));

  const apps = await api.console.listApps({ query: { pageSize: MAX_APPS_ASKED } });
  const first = likely === undefined ? [] : [likely];
  for (const id of new Set([...first, ...apps.items.map((app) => app.appId)])) {
    const found = await of(id);
    if (found !== null) return found;
  }
  return null;
}

/** The answer of a call; null when the requested thing does not exist. */
async function known<Answer>(call: Promise<Answer>): Promise<Answer | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ConsoleRefusedError && error.status === 404 && !error.isNoRoute) return null;
    throw error;
  }
}
