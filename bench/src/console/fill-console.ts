import { createHash } from "node:crypto";
import { fillStore, type Row, type Store } from "../contenders/fill-store.ts";
import { OWNER } from "../contenders/service.ts";
import { contentJson } from "../load/message-kinds.ts";
import type { Sender } from "../load/signed-requests.ts";

/** Deliveries, requests, installations, members and changes of the application. */
export const ROWS = 10_000;
/** Applications of the tenant beside the one that is looked at. */
export const OTHER_APPS = 200;
/** Each looks at the lists by turns: the service has one developer's calls wait for one another. */
export const DEVELOPERS = 40;
export const TENANT = "t_bench";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** What there is happened within so many days, less than anything is kept. */
const DAYS = 6;
const APART_MS = (DAYS * DAY_MS) / ROWS;
const TOKENS_LIVE_MS = 3_600_000;
/** One call in so many was refused. */
const REFUSED_EVERY = 10;
const EVENT_TYPE = "im.message.receive_v1";

/** The access token of a developer. */
export function developerTokenOf(index: number): string {
  return `token-of-developer-${index}`;
}

/** The event of a delivery, and the number of a request. */
export const eventIdOf = (index: number) => `evt_bench_${index}`;
export const reqNoOf = (index: number, now: number) =>
  timeOf(index, now).toString(36).padStart(9, "0") + String(index).padStart(18, "0");

/** When the event or call with a number happened. */
function timeOf(index: number, now: number): number {
  return now - (ROWS - index) * APART_MS;
}

/** Inserts what the console lists: of an application that has been used for days. */
export async function fillConsole(store: Store, { appId }: Sender, now: number): Promise<void> {
  const at = (index: number) => timeOf(index, now);
  await fillDevelopers(store, now);
  await fillStore(store, "apps", OTHER_APPS, (index) => ({
    app_id: `app_other_${index}`,
    type: "BOT",
    tenant_id: TENANT,
    status: "ACTIVE",
    display_name: `Other ${index}`,
    avatar: "",
    created_at: at(index),
  }));
  await fillStore(store, "members", ROWS, (index) => {
    return { user_id: `u_listed_${index}`, tenant_id: TENANT, username: `listed_${index}`, name: `Member ${index}` };
  });
  await fillStore(store, "installations", ROWS, (index) => {
    const target = { app_id: appId, target_type: "USER", target_id: `u_listed_${index}` };
    return { ...target, status: "INSTALLED", installed_at: at(index), first_installed_at: at(index) };
  });
  await fillStore(store, "requests", ROWS, (index) => requestOf(appId, index, now, at(index)));
  await fillStore(store, "audit_entries", ROWS, (index) => ({
    at: at(index),
    actor_type: "DEVELOPER",
    actor_id: `d_bench_${index % DEVELOPERS}`,
    action: "app.update",
    tenant_id: TENANT,
    app_id: appId,
    target: `app:${appId}`,
    before: JSON.stringify({ displayName: `Bench ${index}` }),
    after: JSON.stringify({ displayName: `Bench ${index + 1}` }),
    address: "127.0.0.1",
  }));
  await fillDeliveries(store, appId, at);
  const minutes = DAYS * 1_440;
  const minuteOf = (index: number) => Math.floor(now / MINUTE_MS) - minutes + index;
  await fillStore(store, "call_counts", minutes, (index) => {
    return { app_id: appId, minute: minuteOf(index), calls: 100, errors: 10, ms_1: 60, ms_5: 40 };
  });
  await fillStore(store, "call_errors", minutes, (index) => {
    return { app_id: appId, minute: minuteOf(index), code: "400002", calls: 10 };
  });
}

async function fillDevelopers(store: Store, now: number): Promise<void> {
  const developerId = (index: number) => `d_bench_${index}`;
  await fillStore(store, "developers", DEVELOPERS, (index) => {
    const phone = String(Number(OWNER.phone) + 1 + index);
    return { developer_id: developerId(index), phone, channel_id: OWNER.channelId, name: `Dev ${index}`, operator: 1 };
  });
  await fillStore(store, "developer_tenants", DEVELOPERS, (index) => {
    return { developer_id: developerId(index), tenant_id: TENANT };
  });
  await fillStore(store, "console_logins", DEVELOPERS, (index) => ({
    login_id: `login_${index}`,
    developer_id: developerId(index),
    refresh_hash: `none_${index}`,
    created_at: now,
    expires_at: now + TOKENS_LIVE_MS,
    session_id: `session_${index}`,
    second_factor: 1,
  }));
  await fillStore(store, "console_access_tokens", DEVELOPERS, (index) => {
    const hash = createHash("sha256").update(developerTokenOf(index)).digest("base64url");
    return { token_hash: hash, login_id: `login_${index}`, expires_at: now + TOKENS_LIVE_MS };
  });
}

function requestOf(appId: string, index: number, now: number, at: number): Row {
  const isRefused = index % REFUSED_EVERY === 0;
  const details = { header: "X-Open-Nonce", problem: "missing", maxLength: null };
  const refusal = { check: "headers", details };
  const detail = { reason: "X-Open-Nonce is missing", refusal, query: null, headers: {} };
  return {
    req_no: reqNoOf(index, now),
    app_id: appId,
    at,
    method: "POST",
    path: "/api/open/v2/bot/messages",
    status: isRefused ? 400 : 200,
    code: isRefused ? "400002" : "000000",
    duration_ms: 3,
    detail: isRefused ? JSON.stringify(detail) : null,
  };
}

/** Events that were delivered at the first attempt. */
async function fillDeliveries(store: Store, appId: string, at: (index: number) => number): Promise<void> {
  await fillStore(store, "subscriptions", 1, () => ({
    app_id: appId,
    event_type: EVENT_TYPE,
    callback_url: "https://example.com/events",
    status: "ACTIVE",
    secret_box: "never opened",
    failure_count: 0,
    updated_at: at(0),
  }));
  await fillStore(store, "deliveries", ROWS, (index) => ({
    event_id: eventIdOf(index),
    app_id: appId,
    event_type: EVENT_TYPE,
    body: JSON.stringify({ eventId: eventIdOf(index), message: { content: contentJson("text", index) } }),
    status: "DELIVERED",
    created_at: at(index),
    claim: 1,
    claimed: 0,
    attempt_count: 1,
    retry_count: 0,
    last_status: 200,
  }));
  // A new store counts deliveries from 1.
  await fillStore(store, "delivery_attempts", ROWS, (index) => ({
    delivery_id: index + 1,
    attempt: 1,
    at: at(index),
    address: "93.184.215.14",
    status: 200,
    duration_ms: 12,
    phases: JSON.stringify({ connectMs: 3, answerMs: 9 }),
    answer: "ok",
  }));
}
