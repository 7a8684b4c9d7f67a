import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { button, card, markdown, PorticoClient } from "@portico/sdk";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { signInToConsole, signInToMessenger } from "./support/sign-in.ts";
import { suiteReceiver } from "./support/suite-receiver.ts";

const NAME = "Release bot";

describe("the whole way of an application", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  const receiver = suiteReceiver();

  it("goes from its creation in the console to a card that a member presses, which is updated and recalled", async () => {
    const { service } = world;
    await using developer = await world.visit();
    const { page } = developer;
    await signInToConsole(page, service.developer);
    const credential = await createApp(page);
    const { appId } = credential;

    await page.goto(`/console/apps/${appId}/scopes`);
    await page.getByRole("row", { name: "bot.message.send" }).getByRole("button", { name: "Request" }).click();
    await page.getByText("Submit the application on its overview.").waitFor();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByRole("button", { name: "Submit for review" }).click();
    await page.getByText("Waiting for a reviewer").waitFor();
    const { operator } = await consoleAs(service.url, service.operator);
    await operator.approveReview({ params: { appId }, body: {} });
    // The page asks by itself how the review goes.
    await page.getByText("Approved").waitFor();

    await page.getByRole("link", { name: "Installations", exact: true }).click();
    await page.getByRole("combobox", { name: "Member" }).fill("alice");
    await page.getByText("Alice (alice)").click();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.getByRole("row", { name: "Alice" }).getByText("Installed").waitFor();
    await subscribe(page, receiver().url("/hook", "127.0.0.1"));
    await page.getByRole("link", { name: "Deliveries", exact: true }).click();
    await page.getByText("No events yet").waitFor();

    await using member = await world.visit();
    await signInToMessenger(member.page, service.member("alice"));
    await member.page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: NAME }).click();
    const { bot } = new PorticoClient({ baseUrl: service.url, ...credential });
    const asked = card({ elements: [markdown("Release **42**?"), button("Go", { value: { go: 42 } })] });
    const target = { receiveIdType: "user_id", receiveId: service.member("alice").userId } as const;
    const { messageId } = await bot.sendMessage({ ...target, msgType: "card", content: { card: asked } });
    const shown = member.page.locator(`[data-card="${messageId}"]`);
    await shown.getByRole("button", { name: "Go" }).click();

    await page.getByRole("row", { name: /Delivered card\.interaction/ }).click();
    await page.getByRole("list", { name: "Attempts" }).getByText("Attempt 1").waitFor();
    assert.match(await page.getByText('"eventType": "card.interaction"').innerText(), /"go": 42/);
    await assertAccessible(page);

    await bot.updateCard({ messageId, card: card({ elements: [markdown("Released by Alice")] }) });
    await shown.getByText("Released by Alice").waitFor();
    assert.equal(await shown.getByRole("button", { name: "Go" }).count(), 0);
    assert.equal(await bot.recallCard(messageId), true);
    await member.page.getByRole("log", { name: "Messages" }).getByText("This message was recalled.").waitFor();
    assert.equal(await shown.count(), 0);
  });
});

/** Creates a bot as a person does. @returns what is shown once. */
async function createApp(page: Page): Promise<{ appId: string; credentialId: string; appSecret: string }> {
  await page.getByRole("button", { name: "New application" }).click();
  const dialog = page.getByRole("dialog", { name: "New application" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(NAME);
  await dialog.getByRole("button", { name: "Create" }).click();
  const stored = page.getByRole("button", { name: "I have stored it" });
  await stored.waitFor();
  const values = await page.getByRole("dialog").locator("dd code").allInnerTexts();
  const [appId = "", credentialId = "", appSecret = ""] = values;
  await stored.click();
  await page.getByRole("link", { name: NAME, exact: true }).waitFor();
  return { appId, credentialId, appSecret };
}

/** Subscribes to the presses of cards, and has the address verified. */
async function subscribe(page: Page, address: string): Promise<void> {
  await page.getByRole("link", { name: "Events", exact: true }).click();
  const row = page.getByRole("row", { name: /card\.interaction/ });
  await row.getByRole("button", { name: "Subscribe" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Callback address" }).fill(address);
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await row.getByRole("button", { name: "Verify" }).click();
  await row.getByText("The address answered with 2xx").waitFor();
}
