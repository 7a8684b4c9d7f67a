import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { codeAt } from "../../server/test/support/second-factor.ts";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openMessenger, signInToConsole } from "./support/sign-in.ts";

const STEP_MS = 30_000;

describe("the second factor and one's own password in the pages", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  let secret = "";
  let recoveryCode = "";
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const dialog = (page: Page) => page.getByRole("dialog");

  it("a developer turns it on, and stores the recovery codes", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const { developer } = world.service;
    await signInToConsole(page, developer);
    await button(page, "Account").click();
    await page.getByRole("menuitem", { name: "Security" }).click();
    await page.getByRole("heading", { name: "Security" }).waitFor();
    await assertAccessible(page);
    await button(page, "Turn on").click();
    await dialog(page).getByLabel("Password", { exact: true }).fill(developer.password);
    await dialog(page).getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
    await assertAccessible(page);
    secret = (await dialog(page).locator("dd code").innerText()).trim();
    await dialog(page).getByLabel("Code", { exact: true }).fill("000000");
    await button(page, "Continue").click();
    await dialog(page).getByRole("alert").waitFor();
    await dialog(page)
      .getByLabel("Code", { exact: true })
      .fill(codeAt(secret, Date.now() - STEP_MS));
    await button(page, "Continue").click();
    const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await codes.first().waitFor();
    assert.equal(await codes.count(), 10);
    recoveryCode = await codes.first().innerText();
    await assertAccessible(page);
    await button(page, "I have stored it").click();
    await page.getByText("10 recovery codes left").waitFor();
  });

  it("the console then asks for a code, or a recovery code, and signs out everywhere", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const { phone, password } = world.service.developer;
    await page.goto("/console/");
    await page.getByLabel("Phone number").fill(phone);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await button(page, "Sign in").click();
    await page.getByRole("heading", { name: "Second factor" }).waitFor();
    await assertAccessible(page);
    const baseUrl = new URL(page.url()).origin;
    const post = (path: string, body: object) =>
      page.request.post(`${baseUrl}/api/open/console/v1/auth/${path}`, { data: body });
    const { secondFactor } = await (await post("login", { phone, password, channelId: 1 })).json();
    await post("second-factor", { challenge: secondFactor.challenge, code: "000000" });
    await button(page, "Use a recovery code").click();
    await page.getByLabel("Recovery code", { exact: true }).fill(recoveryCode);
    await button(page, "Continue").click();
    await page.getByText(/^1 wrong code since /).waitFor();
    await assertAccessible(page);
    await button(page, "Continue").click();
    await page.getByRole("heading", { name: "Applications" }).waitFor();
    await page.goto("/console/sessions");
    await button(page, "Sign out everywhere").click();
    await assertAccessible(page);
    await dialog(page).getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByLabel("Phone number").waitFor();
  });

  it("a member changes their password and signs out everywhere in the messenger", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const alice = world.service.member("alice");
    await using elsewhere = await world.visit();
    await openMessenger(elsewhere.page, alice);
    await openMessenger(page, alice);
    await button(page, "Account").click();
    await page.getByRole("menuitem", { name: "Security" }).click();
    const signIns = dialog(page).getByRole("region", { name: "Where you are signed in" });
    await signIns.getByRole("listitem").nth(1).waitFor();
    assert.equal(await signIns.getByText("This one").count(), 1);
    await assertAccessible(page);
    await button(page, "Sign out everywhere else").click();
    await elsewhere.page.getByLabel("Organisation").waitFor();
    await signIns.getByRole("listitem").nth(1).waitFor({ state: "detached" });
    assert.equal(await signIns.getByRole("listitem").count(), 1);
    await dialog(page).getByLabel("Current password").fill(alice.password);
    await dialog(page).getByLabel("New password").fill("password1");
    await dialog(page).getByRole("button", { name: "Change password" }).click();
    await dialog(page).getByRole("alert").waitFor();
    await assertAccessible(page);
    await dialog(page).getByLabel("New password").fill("four words of no sense");
    await dialog(page).getByRole("button", { name: "Change password" }).click();
    await dialog(page).getByText("Your password was changed.").waitFor();
    await dialog(page).getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByLabel("Organisation").waitFor();
  });
});
