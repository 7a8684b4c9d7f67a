import { CONSOLE_ENDPOINTS, OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { type ConsoleAnswer, ConsoleRefusedError } from "@portico/sdk/console";
import type { ConsoleApi } from "./console-api.ts";

/** The most apps that are searched for a call whose app is unknown. */
const MAX_APPS_ASKED = 100;

/** Whether a text has the form of a request number (time, process, count). App ids do not have it. */
export function isReqNo(text: string): boolean {
  return /^[0-9a-z]{9}[0-9a-f]{12}[0-9a-z]{6,}$/.test(text);
}

/** A call with its result, as the console and the operators' log explain it. */
export type ExplainedCall = ConsoleAnswer<typeof CONSOLE_ENDPOINTS.getRequest>;

/**
 * Finds the explanation of a call of an app. Without an app, all apps of the developer are searched, the `likely` one
 * first, then the operator's log if the developer is an operator. Null when it is not found.
 */
export async function findCall(
  api: ConsoleApi,
  reqNo: string,
  { appId, likely }: { appId: string | undefined; likely: string | undefined },
): Promise<ExplainedCall | null> {
  const { getMe, getRequest, listApps } = CONSOLE_ENDPOINTS;
  const of = (id: string) => known(api.call(getRequest, { params: { appId: id, reqNo } }));
  if (appId !== undefined) return await of(appId);
  const { value: me } = await api.call(getMe, {});
  if (me.operator) return await known(api.call(OPERATOR_ENDPOINTS.getRequest, { params: { reqNo } }));

  const { value: apps } = await api.call(listApps, { query: { pageSize: MAX_APPS_ASKED } });
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
