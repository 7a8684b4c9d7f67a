import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { canonicalString } from "@portico/protocol";
import { hmacSha256Hex, sha256Hex } from "@portico/protocol/signature";
import type { Locator, Page } from "playwright-core";
import { MemberClient } from "../../server/test/support/member.ts";
import { isSignedWith } from "../../server/test/support/webhooks.ts";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import type { DemoService } from "./support/demo-service.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole } from "./support/sign-in.ts";
import { suiteReceiver } from "./support/suite-receiver.ts";

const APP_ID = "app_demo_bot";

describe("an application's events, deliveries and requests", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  const receiver = suiteReceiver();

  it("a call that was signed with its query unsorted is found by its number, with the wrong line marked", async () => {
    const { reqNo, due } = await callUnsorted(world.service);
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, `/console/apps/${APP_ID}/requests`);
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    await page.getByRole("searchbox", { name: "Request number" }).fill(reqNo);
    const explanation = page.getByRole("region", { name: "Explanation" });
    await explanation.getByText("Line 3 was signed unsorted").waitFor();
    assert.equal(await explanation.getByText(reqNo).count(), 1);
    assert.deepEqual(await marks(explanation, "What the service built"), ["status=ACTIVE&"]);
    assert.deepEqual(await marks(explanation, "What your client must have built"), ["&status=ACTIVE"]);
    await assertAccessible(page);

    await explanation.getByLabel("Your canonical string").fill(due);
    await explanation.getByText("All eight lines agree").waitFor();
    assert.deepEqual(await marks(explanation, "What your client must have built"), []);

    await page.reload();
    await page.getByRole("row", { name: new RegExp(reqNo) }).waitFor();
    assert.equal(await page.getByRole("searchbox", { name: "Request number" }).inputValue(), reqNo);
  });

  it("the list of calls is filtered by its address, and a row opens the explanation", async () => {
    const { reqNo } = await callUnsorted(world.service);
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, `/console/apps/${APP_ID}/requests?status=2xx`);
    await page.getByText("Nothing matches the filters").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await page.getByRole("row", { name: new RegExp(reqNo) }).click();
    await page.getByRole("region", { name: "What the service built" }).waitFor();
    assert.match(page.url(), new RegExp(`open=${reqNo}`));
  });

  it("an event is subscribed to, verified, delivered, and delivered again under its id", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer);
    const secret = await subscribe(page, "im.message.receive_v1", receiver().url("/hook", "127.0.0.1"));
    const row = page.getByRole("row", { name: /im\.message\.receive_v1/ });
    await row.getByRole("button", { name: "Verify" }).click();
    await row.getByText("The address answered with 2xx").waitFor();
    await row.getByRole("list", { name: "Where the time went" }).getByText("connect").waitFor();

    const { username, password } = world.service.member("alice");
    const member = await MemberClient.signIn(world.service, { tenantId: "t_demo", username, password });
    const params = { conversationId: `bot:${APP_ID}` };
    await page.goto(`/console/apps/${APP_ID}/deliveries`);
    await page.getByText("No events yet").waitFor();
    await member.api.postMessage({ params, body: { msgType: "text", content: { text: "is it green?" } } });

    await page.getByRole("row", { name: /Delivered im\.message\.receive_v1/ }).click();
    const attempts = page.getByRole("list", { name: "Attempts" }).locator("> li");
    await attempts.first().waitFor();
    assert.match(await attempts.first().innerText(), /Attempt 1[\s\S]*200[\s\S]*wait/);
    await assertAccessible(page);

    await page.getByRole("button", { name: "Redeliver" }).click();
    await attempts.nth(1).waitFor();
    const [first, second] = receiver().requests.filter(({ headers }) => "x-open-event-id" in headers);
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(second.headers["x-open-event-id"], first.headers["x-open-event-id"]);
    assert.ok(isSignedWith(secret, first) && isSignedWith(secret, second), "signed with the secret that was shown");
  });

  it("a callback that is not public is refused in words, and nothing is subscribed", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, `/console/apps/${APP_ID}/events`);
    await page
      .getByRole("row", { name: /card\.interaction/ })
      .getByRole("button", { name: "Subscribe" })
      .click();
    const dialog = page.getByRole("dialog");
    assert.equal(await dialog.getByRole("radio", { name: "Webhook" }).isChecked(), true);
    await dialog.getByRole("textbox", { name: "Callback address" }).fill("https://10.0.0.1/hook");
    await dialog.getByRole("button", { name: "Subscribe" }).click();
    assert.match(await dialog.getByRole("alert").innerText(), /public/);
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("row", { name: /card\.interaction.*Not subscribed/ }).waitFor();
  });

  it("a subscription by socket asks for no address, shows no secret unless it is asked for, and says whether a connection is open", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, `/console/apps/${APP_ID}/events`);
    const row = page.getByRole("row", { name: /card\.interaction/ });
    await row.getByRole("button", { name: "Subscribe" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Socket" }).check();
    await dialog.getByRole("textbox", { name: "Callback address" }).waitFor({ state: "detached" });
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Subscribe" }).click();
    await page.getByRole("row", { name: /card\.interaction.*By socket/ }).waitFor();
    await dialog.waitFor({ state: "detached" });
    await row.getByRole("button", { name: "Verify" }).click();
    await row.getByText("No connection is open").waitFor();
    await row.getByRole("link", { name: "How to connect" }).waitFor();
    await row.getByRole("button", { name: "Rotate secret" }).click();
    await dialog.getByText("the socket does not need it").waitFor();
    await dialog.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByRole("dialog").getByText("The socket does not need it").waitFor();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await row.getByRole("button", { name: "Unsubscribe" }).click();
    await dialog.getByRole("button", { name: "Unsubscribe" }).click();
    await page.getByRole("row", { name: /card\.interaction.*Not subscribed/ }).waitFor();
  });

  it("a developer who does not own the application looks, and finds nothing to change", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.operator, `/console/apps/${APP_ID}/events`);
    await page.getByRole("row", { name: /card\.interaction/ }).waitFor();
    assert.deepEqual(await page.getByRole("row").getByRole("button").allInnerTexts(), []);
    await page.goto(`/console/apps/${APP_ID}/deliveries`);
    await page.getByRole("heading", { name: "Deliveries", level: 1 }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Send a range again" }).count(), 0);
  });
});

/** Makes a call that signs its query as it is sent. */
async function callUnsorted(service: DemoService): Promise<{ reqNo: string; due: string }> {
  const credential = service.app(APP_ID).credentials[0];
  assert.ok(credential !== undefined);
  const { credentialId, appSecret } = credential;
  const rawQuery = "targetType=GROUP&status=ACTIVE";
  const timestamp = String(Date.now());
  const nonce = crypto.randomUUID();
  const path = "/api/open/v2/bot/installations";
  const parts = { method: "GET", path, rawQuery, appId: APP_ID, credentialId, timestamp, nonce };
  const due = canonicalString({ ...parts, bodyHash: sha256Hex("") });
  const answer = await fetch(`${service.url}${path}?${rawQuery}`, {
    headers: {
      "X-Open-App-Id": APP_ID,
      "X-Open-Credential-Id": credentialId,
      "X-Open-Timestamp": timestamp,
      "X-Open-Nonce": nonce,
      "X-Open-Signature": hmacSha256Hex(appSecret, due.replace("status=ACTIVE&targetType=GROUP", rawQuery)),
    },
  });
  assert.equal(answer.status, 401);
  const { reqNo } = JSON.parse(await answer.text());
  return { reqNo, due };
}

async function marks(explanation: Locator, region: string): Promise<string[]> {
  return await explanation.getByRole("region", { name: region }).locator("mark").allInnerTexts();
}

/** Subscribes as a person does; returns the secret that is shown once. */
async function subscribe(page: Page, eventType: string, address: string): Promise<string> {
  await page.goto(`/console/apps/${APP_ID}/events`);
  await page
    .getByRole("row", { name: new RegExp(eventType) })
    .getByRole("button", { name: "Subscribe" })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Callback address" }).fill(address);
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  const stored = page.getByRole("button", { name: "I have stored it" });
  await stored.waitFor();
  const secret = await page.getByRole("dialog").locator("code").last().innerText();
  await stored.click();
  return secret;
}
