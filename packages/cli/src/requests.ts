import type { ConsoleApi } from "./console-api.ts";
import { type ConsoleAnswer, ConsoleRefusedError, unpromised } from "./console-exchange.ts";
import { listOf, memberOf, numberOf, textOf } from "./json.ts";
import type { TimeRange } from "./time-options.ts";

/** Apps of a developer that are asked for a call whose app is not known. */
const MAX_APPS_ASKED = 100;

/** Which calls, as the console API takes it. */
export interface CallSelection extends TimeRange {
  status: string | undefined;
  code: string | undefined;
  path: string | undefined;
  method: string | undefined;
  before: string | undefined;
  limit: number | undefined;
}

/** What is shown of a call in the list. */
export interface CallView {
  reqNo: string;
  /** Epoch milliseconds. */
  at: number;
  method: string;
  path: string;
  status: number;
  code: string;
  durationMs: number;
  /** Why it was refused; undefined when it was not. */
  reason: string | undefined;
}

/** Some of an application's signed calls, newest first. */
export async function readCalls(api: ConsoleApi, appId: string, { from, to, limit, ...other }: CallSelection) {
  const query = { ...other, from: from?.toString(), to: to?.toString(), limit: limit?.toString() };
  const { value, text } = await api.call("GET", ["apps", appId, "requests"], { query });
  if (!Array.isArray(memberOf(value, "items"))) unpromised("requests");
  return { calls: listOf(value, "items").map(callView), nextBefore: textOf(value, "nextBefore"), text };
}

/** A call as the list and its explanation show it. */
export function callView(value: unknown): CallView {
  return {
    reqNo: textOf(value, "reqNo") ?? unpromised("a request"),
    at: numberOf(value, "at") ?? unpromised("a request"),
    method: textOf(value, "method") ?? "?",
    path: textOf(value, "path") ?? "?",
    status: numberOf(value, "status") ?? unpromised("a request"),
    code: textOf(value, "code") ?? "?",
    durationMs: numberOf(value, "durationMs") ?? 0,
    reason: textOf(value, "reason"),
  };
}

/** Whether a text has the form of a request number: its time, its process, its count. No app id has it by chance. */
export function isReqNo(text: string): boolean {
  return /^[0-9a-z]{9}[0-9a-f]{12}[0-9a-z]{6,}$/.test(text);
}

/**
 * The explanation of a call of an app; of any that the developer may look at, when none is named: then all are asked for
 * it in turn, the one that is `likely` first, or the operator's log, if they are one. Null when nobody knows of it.
 */
export async function findCall(
  api: ConsoleApi,
  reqNo: string,
  { appId, likely }: { appId: string | undefined; likely: string | undefined },
): Promise<ConsoleAnswer | null> {
  const of = (id: string) => known(api.call("GET", ["apps", id, "requests", reqNo]));
  if (appId !== undefined) return await of(appId);
  const { value: me } = await api.call("GET", ["me"]);
  if (memberOf(me, "operator") === true) return await known(api.call("GET", ["operator", "requests", reqNo]));

  const { value } = await api.call("GET", ["apps"], { query: { pageSize: String(MAX_APPS_ASKED) } });
  const own = listOf(value, "items").map((app) => textOf(app, "appId") ?? unpromised("apps"));
  const first = likely === undefined ? [] : [likely];
  for (const id of new Set([...first, ...own])) {
    const found = await of(id);
    if (found !== null) return found;
  }
  return null;
}

/** What a call answers; null when what it asks for is not there. */
async function known(call: Promise<ConsoleAnswer>): Promise<ConsoleAnswer | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ConsoleRefusedError && error.status === 404 && !error.isNoRoute) return null;
    throw error;
  }
}
