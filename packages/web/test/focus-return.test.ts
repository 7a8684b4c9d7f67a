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
});

async function press(button: Locator): Promise<void> {
  await button.focus();
  await button.press("Enter");
}

/** Waits until an element has the focus and no dialog is there. */
async function assertFocused(page: Page, element: Locator): Promise<void> {
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await element.and(page.locator(":focus")).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
}
