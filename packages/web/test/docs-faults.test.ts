import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";

const fault = (page: Page) => page.getByRole("alert").filter({ hasText: "The service could not be reached." });
const tryAgain = (page: Page) => fault(page).getByRole("button", { name: "Try again" });

describe("the docs where the network fails", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("say that the API's description did not arrive, and show the page once it does", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.route("/docs/json", (route) => route.abort());
    await page.goto("/docs/guide/contract/signing");
    await fault(page).waitFor();
    await page.getByRole("banner").getByText("Docs", { exact: true }).waitFor();
    await assertAccessible(page);
    const asked = page.waitForRequest("/docs/json");
    await tryAgain(page).click();
    await asked;
    await fault(page).waitFor();
    await page.unroute("/docs/json");
    await tryAgain(page).click();
    await page.getByRole("heading", { name: "Signing", level: 1 }).waitFor();
  });

  it("say that the service failed where it has no description to give", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.route("/docs/json", (route) => route.fulfill({ status: 503, body: "busy" }));
    await page.goto("/docs/");
    await page.getByRole("alert").getByText("The service could not do this.").waitFor();
    await page.unroute("/docs/json");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Build on Portico" }).waitFor();
  });

  for (const [what, file] of [
    ["text of a page", /\/assets\/signing-.*\.js/],
    ["code of a page", /\/assets\/guide-page-.*\.js/],
  ] as const) {
    it(`say that the ${what} did not arrive beside the contents, and show it once it does`, async () => {
      await using visitor = await world.visit();
      const { page } = visitor;
      await page.goto("/docs/");
      await page.route(file, (route) => route.abort());
      const contents = page.getByRole("navigation", { name: "Contents" });
      await contents.getByRole("link", { name: "Signing", exact: true }).click();
      await fault(page).waitFor();
      assert.ok(await contents.isVisible());
      await assertAccessible(page);
      await page.unroute(file);
      await tryAgain(page).click();
      await page.getByRole("heading", { name: "Signing", level: 1 }).waitFor();
    });
  }

  it("say that a call got no answer, and make it again", async () => {
    await using visitor = await world.visit();
    const { page, context } = visitor;
    const { username, password } = world.service.member("alice");
    await page.goto("/docs/reference/member.login");
    const form = page.getByRole("region", { name: "Try it" });
    await form.getByLabel("Body", { exact: true }).fill(JSON.stringify({ tenantId: "t_demo", username, password }));
    await context.setOffline(true);
    await form.getByRole("button", { name: "Send" }).click();
    await fault(page).waitFor();
    await assertAccessible(page);
    await context.setOffline(false);
    await tryAgain(page).click();
    await form
      .getByRole("status")
      .getByText(/^200 in/)
      .waitFor();
  });
});
