import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { launchBrowser, NO_BROWSER } from "./support/browser.ts";
import { DemoService } from "./support/demo-service.ts";
import { signInToConsole } from "./support/sign-in.ts";
import { visit } from "./support/visit.ts";

describe("signing in to the console", { skip: NO_BROWSER }, () => {
  let service: DemoService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([DemoService.start(), launchBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it("a developer signs in by password, stays so after a reload, and signs out", async () => {
    await using visitor = await visit(browser, service.url);
    const { page } = visitor;
    await signInToConsole(page, service.developer);
    await page.reload();
    await page.getByRole("heading", { name: "Applications" }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("tab", { name: "QR code" }).waitFor();
    await page.reload();
    await page.getByLabel("Phone number").waitFor();
  });

  it("reloads that follow each other at once keep the login", async () => {
    await using visitor = await visit(browser, service.url);
    const { page } = visitor;
    await signInToConsole(page, service.developer);
    for (let times = 0; times < 5; times++) {
      const asked = page.waitForRequest(/\/auth\/refresh$/);
      await page.reload({ waitUntil: "commit" });
      await asked;
    }
    await page.getByRole("heading", { name: "Applications" }).waitFor();
  });

  it("a wrong password is told of as an alert", async () => {
    await using visitor = await visit(browser, service.url);
    const { page } = visitor;
    await page.goto("/console/");
    await page.getByLabel("Phone number").fill(service.developer.phone);
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    assert.match(await page.getByRole("alert").innerText(), /password/i);
    await assertAccessible(page);
    await page.getByRole("tab", { name: "QR code" }).click();
    await page.getByRole("img", { name: "QR code to sign in" }).waitFor();
    await assertAccessible(page);
  });

  it("another tab that signs out signs this one out too", async () => {
    await using visitor = await visit(browser, service.url);
    const { page, context } = visitor;
    await signInToConsole(page, service.developer);
    const other = await context.newPage();
    await other.goto("/console/");
    await other.getByRole("button", { name: "Account" }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Phone number").waitFor();
  });
});
