import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { signInToConsole } from "./support/sign-in.ts";

describe("signing in to the console", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("a developer signs in by password, stays so after a reload, and signs out", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await signInToConsole(page, world.service.developer);
    await page.reload();
    await page.getByRole("heading", { name: "Applications" }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("tab", { name: "QR code" }).waitFor();
    await page.reload();
    await page.getByLabel("Phone number").waitFor();
  });

  it("reloads that follow each other at once keep the login", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await signInToConsole(page, world.service.developer);
    for (let times = 0; times < 5; times++) {
      const asked = page.waitForRequest(/\/auth\/refresh$/);
      await page.reload({ waitUntil: "commit" });
      await asked;
    }
    await page.getByRole("heading", { name: "Applications" }).waitFor();
  });

  it("a wrong password is told of as an alert", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/console/");
    await page.getByLabel("Phone number").fill(world.service.developer.phone);
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    assert.match(await page.getByRole("alert").innerText(), /password/i);
    await assertAccessible(page);
    await page.getByRole("tab", { name: "QR code" }).click();
    await page.getByRole("img", { name: "QR code to sign in" }).waitFor();
    await assertAccessible(page);
  });

  it("another tab that signs out signs this one out too", async () => {
    await using visitor = await world.visit();
    const { page, context } = visitor;
    await signInToConsole(page, world.service.developer);
    const other = await context.newPage();
    await other.goto("/console/");
    await other.getByRole("button", { name: "Account" }).click();
    await other.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Phone number").waitFor();
  });
});
