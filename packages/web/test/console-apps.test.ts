import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole } from "./support/sign-in.ts";

const PHONE = { viewport: { width: 390, height: 844 } };

describe("applications in the console", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("a new application's credential is shown once, and goes by its button alone", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer);
    await create(page, "Weather", "Bot");
    const stored = page.getByRole("button", { name: "I have stored it" });
    const dialog = page.getByRole("dialog");
    const shown = await dialog.innerText();
    assert.match(shown, /cred_[\w-]+/);
    await assertAccessible(page);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 400);
    assert.ok(await stored.isVisible());
    await stored.click();
    // The new application opens.
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    assert.match(page.url(), /\/console\/apps\/app_[\w-]+$/);
    await page.getByRole("link", { name: "Credentials", exact: true }).click();
    await page.getByRole("row", { name: "Current" }).waitFor();
    const [, secret = ""] = /appSecret\s+(\S{20,})/.exec(shown) ?? [];
    assert.notEqual(secret, "");
    assert.ok(!(await page.content()).includes(secret));
  });

  it("a form in the middle of which the login ended is there when the same developer has signed in again", async () => {
    await using visitor = await world.visit();
    const { page, context } = visitor;
    await openConsole(page, world.service.developer);
    const second = await context.newPage();
    await second.goto("/console/");
    await page.getByRole("button", { name: "New application" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill("Half a name");
    await page.getByRole("radio", { name: "Mini program" }).check();
    await second.getByRole("button", { name: "Account" }).click();
    await second.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("alert").filter({ hasText: "You were signed out in another window." }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    const { phone, password } = world.service.developer;
    await page.getByLabel("Phone number").fill(phone);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    assert.equal(await page.getByRole("textbox", { name: "Name" }).inputValue(), "Half a name");
    assert.equal(await page.getByRole("radio", { name: "Mini program" }).isChecked(), true);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("button", { name: "I have stored it" }).waitFor();
  });

  it("search, filters and page are kept in the address", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer);
    await page.getByRole("searchbox", { name: "Search by name or ID" }).fill("mini");
    await page.getByRole("link", { name: "Demo bot" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Demo mini-program" }).waitFor();
    await page.waitForURL(/search=mini/);
    await page.reload();
    await page.getByRole("link", { name: "Demo mini-program" }).waitFor();
    assert.equal(await page.getByRole("searchbox").inputValue(), "mini");
    await page.goto("/console/apps?type=CUSTOMER_SERVICE&status=DISABLED");
    await page.getByText("Nothing matches").waitFor();
    await assertAccessible(page);
  });

  it("a long list is paged by the service, and scrolls to the row that the address opens", async (t) => {
    const { console: api } = await consoleAs(world.service.url, world.service.developer);
    const ids: string[] = [];
    for (let count = 0; count < 21; count++) {
      ids.push((await api.createApp({ body: { type: "MINI_PROGRAM", displayName: `Paged ${count}` } })).appId);
    }
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps?search=Paged");
    await page.getByText("1 to 20 of 21").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("21 to 21 of 21").waitFor();
    await page.reload();
    await page.getByRole("link", { name: "Paged 0", exact: true }).waitFor();
    assert.equal(await page.getByRole("row").count(), 2);
    await using operator = await world.visit();
    await openConsole(
      operator.page,
      world.service.operator,
      `/console/operator/applications?search=Paged&open=${ids[1]}`,
    );
    const opened = operator.page.locator("tr[data-open]");
    await opened.waitFor();
    const place = `document.querySelector("tr[data-open]").getBoundingClientRect()`;
    const inSight = `${place}.top >= 0 && ${place}.bottom <= innerHeight`;
    await t.waitFor(async () => assert.ok(await operator.page.evaluate(inSight), "its row is in sight"));
  });

  it("an application goes from its first step through its review, and an operator's reason is told", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer);
    await create(page, "Reviewed", "Bot");
    await page.getByRole("button", { name: "I have stored it" }).click();
    const steps = page.getByRole("list", { name: "Next steps" });
    await steps.getByRole("listitem").filter({ hasText: "To do: Ask for what it may do" }).waitFor();
    await steps.getByRole("link", { name: "Ask for what it may do" }).click();
    const row = (scope: string) => page.getByRole("row", { name: scope });
    await row("bot.message.send").getByRole("button", { name: "Request" }).click();
    await row("bot.message.send").getByRole("button", { name: "Withdraw" }).waitFor();
    // The others together.
    const others = ["bot.message.reply", "event.bot.message"];
    for (const scope of others) await page.getByRole("checkbox", { name: `Select ${scope}` }).check();
    await page.getByRole("button", { name: "Request 2 scopes" }).click();
    for (const scope of others) await row(scope).getByRole("button", { name: "Withdraw" }).waitFor();
    await assertAccessible(page);
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await steps.getByRole("listitem").filter({ hasText: "Done: Ask for what it may do" }).waitFor();
    await page.getByLabel("Note to the reviewer").fill("It tells the weather.");
    await page.getByRole("button", { name: "Submit for review" }).click();
    await page.getByText("Waiting for a reviewer").waitFor();
    await page.getByText("It tells the weather.").waitFor();

    const appId = new URL(page.url()).pathname.split("/")[3] ?? "";
    const { operator } = await consoleAs(world.service.url, world.service.operator);
    await operator.rejectReview({ params: { appId }, body: { comment: "Which weather?" } });
    await page.reload();
    await page.getByText("Which weather?").waitFor();
    await page.getByRole("button", { name: "Submit for review" }).click();
    await page.getByText("Waiting for a reviewer").waitFor();
    await operator.approveReview({ params: { appId }, body: {} });
    await page.reload();
    await steps.getByRole("listitem").filter({ hasText: "Done: Pass the review" }).waitFor();
    await operator.disableApp({ params: { appId }, body: { reason: "It sends advertisements." } });
    await page.reload();
    await page.getByText("It sends advertisements.").waitFor();
    await assertAccessible(page);
  });

  it("a phone shows every page of an application without scrolling sideways", async () => {
    await using visitor = await world.visit(PHONE);
    const { page } = visitor;
    await openConsole(page, world.service.developer);
    for (const path of ["", "/credentials", "/scopes", "/installations", "/agents", "/visitors", "/audit-log"]) {
      await page.goto(`/console/apps/app_demo_service${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      const excess = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      assert.ok(excess <= 0, `${path}: ${excess} pixels too wide`);
      await assertAccessible(page);
    }
  });
});

async function create(page: Page, name: string, type: string): Promise<void> {
  await page.getByRole("button", { name: "New application" }).click();
  const dialog = page.getByRole("dialog", { name: "New application" });
  await dialog.getByRole("textbox", { name: "Name" }).fill(name);
  await dialog.getByRole("radio", { name: type, exact: true }).check();
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "I have stored it" }).waitFor();
}
