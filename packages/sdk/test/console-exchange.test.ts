import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ConsoleExchangeOptions,
  ConsoleRefusedError,
  consoleExchange,
  createApiClient,
} from "@portico/protocol/client";
import { CONSOLE_ENDPOINTS } from "@portico/protocol/endpoints";
import { TransportError } from "../src/index.ts";
import { type Respond, startService } from "./service.ts";

const consoleClient = (options: ConsoleExchangeOptions) => createApiClient(CONSOLE_ENDPOINTS, consoleExchange(options));
const EMPTY_PAGE = { items: [], total: 0, page: 1, pageSize: 20 };
const LOGIN = { accessToken: "tok_1", expiresAt: 1, developerId: "dev_1" };

const json =
  (status: number, body: unknown, headers = {}): Respond =>
  (response) =>
    void response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));

test("a call is sent by its endpoint, with the token and the tenant; what is left out of a query is not sent", async () => {
  await using service = await startService(json(200, EMPTY_PAGE));
  let text = "";
  const client = consoleClient({
    baseUrl: service.baseUrl,
    accessToken: () => "tok_1",
    onAnswer: (answer) => {
      text = answer.text;
    },
  });
  const query = { status: "ACTIVE", keyword: undefined, page: 2 } as const;
  assert.deepEqual(await client.listApps({ query }, { tenantId: "t_1" }), EMPTY_PAGE);
  assert.equal(text, JSON.stringify(EMPTY_PAGE));
  const [request] = service.requests;
  assert.equal(`${request?.method} ${request?.url}`, "GET /api/open/console/v1/apps?status=ACTIVE&page=2");
  const { authorization, "x-open-tenant-id": tenantId, "content-type": contentType, cookie } = request?.headers ?? {};
  assert.deepEqual([authorization, tenantId, contentType, cookie], ["Bearer tok_1", "t_1", undefined, undefined]);
});

test("parameters of the path are percent-encoded, and a body that may be left out is", async () => {
  await using service = await startService(json(409, { status: 409, error: "Conflict", message: "x", errorCode: "Y" }));
  const call = consoleClient({ baseUrl: service.baseUrl }).submitApp({ params: { appId: "a/b?c" } });
  await assert.rejects(call, ConsoleRefusedError);
  const [request] = service.requests;
  assert.equal(`${request?.method} ${request?.url}`, "POST /api/open/console/v1/apps/a%2Fb%3Fc/submit");
  assert.deepEqual([request?.body, request?.headers["content-type"]], ["", undefined]);
});

test("the refresh token of a login comes back, renews the login and ends it", async () => {
  await using service = await startService((response, index) => {
    const cookie = { "Set-Cookie": [`other=1; Path=/`, `open_refresh_token=ref_${index}; Max-Age=60; HttpOnly`] };
    if (index < 2) return json(200, LOGIN, cookie)(response, index);
    response.writeHead(204).end();
  });
  const { baseUrl } = service;
  const given: (string | undefined)[] = [];
  const client = (refreshToken?: string) =>
    consoleClient({ baseUrl, refreshToken, onAnswer: (answer) => given.push(answer.refreshToken) });
  const body = { phone: "1", password: "2", channelId: 1 };
  assert.deepEqual(await client().login({ body }), LOGIN);
  assert.deepEqual(JSON.parse(service.requests[0]?.body ?? ""), body);
  await client("ref_0").refresh();
  assert.equal(await client("ref_1").logout(), null);
  assert.deepEqual(given, ["ref_0", "ref_1", undefined]);
  const cookies = service.requests.map(({ headers }) => headers.cookie);
  assert.deepEqual(cookies, [undefined, "open_refresh_token=ref_0", "open_refresh_token=ref_1"]);
});

test("a refusal is an error with its status, its errorCode, its words in both languages and how long to wait", async () => {
  const message = "同时进行的验证过多,请稍后再试";
  const refusal = { timestamp: "x", status: 429, error: "Too Many Requests", message, path: "/" };
  const body = { ...refusal, errorCode: "VERIFICATIONS_TOO_MANY" };
  await using service = await startService(json(429, body, { "Retry-After": "17" }));
  const params = { appId: "app_1", eventType: "card.interaction" };
  await assert.rejects(consoleClient({ baseUrl: service.baseUrl }).verifySubscription({ params }), (error) => {
    assert.ok(error instanceof ConsoleRefusedError);
    const { status, errorCode, english, retryAfterSeconds, isNoRoute } = error;
    assert.deepEqual([status, errorCode, retryAfterSeconds, isNoRoute], [429, "VERIFICATIONS_TOO_MANY", 17, false]);
    assert.equal(error.message, message);
    assert.equal(english, "Too many verifications are under way for this application.");
    return true;
  });
});

test("the answer of where no route is has no words", async () => {
  await using service = await startService(json(404, { status: 404, error: "Not Found", path: "/" }));
  await assert.rejects(consoleClient({ baseUrl: service.baseUrl }).listApps(), (error) => {
    assert.ok(error instanceof ConsoleRefusedError);
    assert.deepEqual([error.isNoRoute, error.message, error.english], [true, "", undefined]);
    return true;
  });
});

for (const [what, status, body, reason] of [
  ["a success without a promised member", 200, { items: [], total: 0 }, /not what the call promises$/],
  ["a success that is another value", 200, null, /not what the call promises$/],
  ["a refusal that names another status", 403, { status: 404, error: "Not Found" }, /not the console's$/],
  ["an envelope of another API", 404, { code: "400006", message: "x" }, /not the console's$/],
] as const) {
  test(`${what} is no verdict`, async () => {
    await using service = await startService(json(status, body));
    await assert.rejects(consoleClient({ baseUrl: service.baseUrl }).listApps(), (error) => {
      assert.ok(error instanceof TransportError);
      assert.match(error.message, reason);
      return true;
    });
  });
}
