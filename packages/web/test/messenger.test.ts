import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PorticoClient } from "@portico/sdk";
import type { Browser, Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { launchBrowser, NO_BROWSER } from "./support/browser.ts";
import { DemoService } from "./support/demo-service.ts";
import { signInToMessenger } from "./support/sign-in.ts";
import { visit } from "./support/visit.ts";

const CARD = { schema: "2.0" as const, header: { title: { content: "Deploy 42" } }, body: { elements: [] } };

describe("the messenger", { skip: NO_BROWSER }, () => {
  let service: DemoService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([DemoService.start(), launchBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(page: Page, username: string, conversation = "Demo group"): Promise<void> {
    await signInToMessenger(page, service.member(username));
    await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: conversation }).click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
  }

  async function write(page: Page, text: string): Promise<void> {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  }

  const said = (page: Page, text: string) =>
    page.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: text });

  it("two members see what the other writes, at once and once", async () => {
    await using alice = await visit(browser, service.url);
    await using bob = await visit(browser, service.url);
    await Promise.all([open(alice.page, "alice"), open(bob.page, "bob")]);
    await write(alice.page, "Hello Bob");
    await said(bob.page, "Hello Bob").waitFor();
    await write(bob.page, "Hello Alice");
    await said(alice.page, "Hello Alice").waitFor();
    assert.equal(await said(alice.page, "Hello Bob").count(), 1);
    assert.equal(await said(bob.page, "Hello Alice").count(), 1);
    await assertAccessible(alice.page);
  });

  it("a message that could not be sent says so, and is sent when it is tried again", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    await alice.context.setOffline(true);
    await write(alice.page, "from the tunnel");
    await alice.page.getByRole("button", { name: "Retry" }).waitFor();
    await alice.page.getByRole("status").filter({ hasText: "You are offline" }).waitFor();
    await alice.context.setOffline(false);
    await alice.page.getByRole("button", { name: "Retry" }).click();
    await alice.page.getByRole("button", { name: "Retry" }).waitFor({ state: "detached" });
    await said(alice.page, "from the tunnel").waitFor();
    assert.equal(await said(alice.page, "from the tunnel").count(), 1);
  });

  it("what was said while the network was gone is there when it is back", async () => {
    await using alice = await visit(browser, service.url);
    await using bob = await visit(browser, service.url);
    await Promise.all([open(alice.page, "alice"), open(bob.page, "bob")]);
    await write(bob.page, "before the tunnel");
    await said(alice.page, "before the tunnel").waitFor();
    await service.halt("SIGKILL");
    await service.resume();
    await write(bob.page, "after the tunnel");
    const retry = bob.page.getByRole("button", { name: "Retry" });
    await Promise.race([retry.waitFor(), said(bob.page, "after the tunnel").waitFor()]);
    if (await retry.isVisible()) await retry.click();
    await said(alice.page, "after the tunnel").waitFor({ timeout: 30_000 });
    assert.equal(await said(alice.page, "after the tunnel").count(), 1);
  });

  it("a bot's card comes, changes and goes before the eyes of the member", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    const { appId, credentials } = service.app("app_demo_bot");
    const [credential] = credentials;
    assert.ok(credential);
    const { bot } = new PorticoClient({ baseUrl: service.url, appId, ...credential });
    const sent = await bot.sendMessage({
      receiveIdType: "group_id",
      receiveId: "g_demo",
      msgType: "card",
      content: { card: CARD },
    });
    const card = alice.page.locator(`[data-card="${sent.messageId}"]`);
    await card.getByText("Deploy 42").waitFor();
    await bot.updateCard({
      messageId: sent.messageId,
      card: { ...CARD, header: { title: { content: "Deploy 42 is done" } } },
    });
    await card.getByText("Deploy 42 is done").waitFor();
    await bot.recallCard(sent.messageId);
    await card.waitFor({ state: "detached" });
    await said(alice.page, "This message was recalled.").waitFor();
  });

  it("a bot is installed in a group and uninstalled", async () => {
    await using bob = await visit(browser, service.url);
    await open(bob.page, "bob");
    await bob.page.getByRole("button", { name: "Bots" }).click();
    const row = bob.page.getByRole("dialog").getByRole("row", { name: "Demo bot" });
    await row.getByRole("button", { name: "Uninstall" }).click();
    await row.getByRole("button", { name: "Install", exact: true }).click();
    await row.getByRole("button", { name: "Uninstall" }).waitFor();
  });
});
