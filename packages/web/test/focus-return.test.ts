import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole, openMessenger } from "./support/sign-in.ts";

const BOT = "/console/apps/app_demo_bot";

describe("whoever uses a keyboard goes on where they were", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("after a dialog of the messenger", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openMessenger(page, world.service.member("alice"));
    for (const name of ["Bots", "Scan QR code"]) {
      const opener = page.getByRole("button", { name, exact: true });
      await press(opener);
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await assertFocused(page, opener);
    }
  });

  it("on the way back from a conversation, on a phone", async () => {
    await using visitor = await world.visit({ viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    await openMessenger(page, world.service.member("alice"));
    const conversation = page.getByRole("link", { name: "Demo group", exact: true });
    await press(conversation);
    await press(page.getByRole("button", { name: "Back to the conversations" }));
    await assertFocused(page, conversation);
  });

  it("after a dialog of the console, and after one that followed it", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, `${BOT}/credentials`);
    const rotate = page.getByRole("main").getByRole("button", { name: "Rotate", exact: true });
    await press(rotate);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await assertFocused(page, rotate);
    await press(rotate);
    await press(page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }));
    await press(page.getByRole("button", { name: "I have stored it" }));
    await assertFocused(page, rotate);
  });

  it("after a section was edited in its place, whose first field has the focus", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, `${BOT}/overview`);
    const edit = page.getByRole("main").getByRole("button", { name: "Edit", exact: true });
    await press(edit);
    await assertFocused(page, page.getByRole("textbox", { name: "Name", exact: true }));
    await press(page.getByRole("button", { name: "Cancel", exact: true }));
    await assertFocused(page, edit);
  });

  it("on the next page, which begins at its top", async () => {
    await using visitor = await world.visit({ viewport: { width: 1280, height: 400 } });
    const { page } = visitor;
    await openConsole(page, world.service.developer, `${BOT}/overview`);
    const statistics = page.getByRole("link", { name: "Statistics", exact: true });
    await page.getByRole("heading", { name: "Quota" }).scrollIntoViewIfNeeded();
    assert.notEqual(await page.evaluate("scrollY"), 0);
    await press(statistics);
    await page.getByRole("heading", { name: "Statistics", exact: true }).waitFor();
    assert.equal(await page.evaluate(SCROLLED_TO), 0);
    await page.goto(`${BOT}/card-templates`);
    await press(page.getByRole("button", { name: "New template" }));
    await page.getByRole("textbox", { name: "Card JSON" }).waitFor();
    await page.getByRole("main").and(page.locator(":focus")).waitFor();
  });
});

/** Runs in the page: where it is, once that is its top, or after five seconds of frames. */
const SCROLLED_TO = `new Promise((done) => {
  const look = (frames) => scrollY === 0 || frames === 0 ? done(scrollY) : requestAnimationFrame(() => look(frames - 1));
  look(300);
})`;

async function press(element: Locator): Promise<void> {
  await element.focus();
  await element.press("Enter");
}

/** Waits until an element has the focus and no dialog is there. */
async function assertFocused(page: Page, element: Locator): Promise<void> {
  await page.getByRole("dialog").first().waitFor({ state: "detached" });
  await element.and(page.locator(":focus")).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
}
