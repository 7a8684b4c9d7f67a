import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { launchBrowser, NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole } from "./support/sign-in.ts";
import { visit } from "./support/visit.ts";

/** A name that leads to this machine, and that browsers do not take for it. */
const ELSEWHERE = "portico.test";

describe("pages that came by plain http from another machine", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser([`--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`]);
  });
  after(() => browser?.close());

  const origin = () => world.service.url.replace("localhost", ELSEWHERE);

  it("the docs say that they cannot sign and what to do, in both languages, and copy the command", async () => {
    for (const [locale, told, copyName] of [
      ["en-US", "Open it at such an address, or copy the code on this page", /^Copy curl/],
      ["zh-CN", "请改用这样的地址打开，或复制本页的代码", /^复制 curl/],
    ] as const) {
      await using visitor = await visit(browser, origin(), { locale });
      const { page } = visitor;
      await page.goto("/docs/reference/bot.sendMessage");
      assert.equal(await page.evaluate("isSecureContext || crypto.subtle !== undefined"), false);
      await page.getByText(told).waitFor();
      assert.equal(await page.locator("form").count(), 0);
      await assertAccessible(page);
      const copied = page.evaluate<string>(
        `new Promise((resolve) => document.addEventListener("copy", () => resolve(String(getSelection()) || document.activeElement.value)))`,
      );
      const button = page.getByRole("button", { name: copyName });
      await button.click();
      assert.match(await copied, /^#!\/usr\/bin\/env bash/);
      assert.equal(await button.evaluate((element) => element.ownerDocument.activeElement === element), true);
    }
  });

  it("the sign-in pages say that the browser keeps no sign-in and what to do, and at a safe address nothing", async () => {
    await using visitor = await visit(browser, origin());
    const { page } = visitor;
    for (const path of ["/desk/", "/console/"]) {
      await page.goto(path);
      await page.getByText("This page came without encryption").waitFor();
      await page.getByText(`Open https://${ELSEWHERE} instead`).waitFor();
      await assertAccessible(page);
    }
    await using safe = await world.visit();
    await safe.page.goto("/desk/");
    await safe.page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.equal(await safe.page.getByText("This page came without encryption").count(), 0);
  });

  it("the docs make a call that is not signed", async () => {
    await using visitor = await visit(browser, origin());
    const { page } = visitor;
    const { username, password } = world.service.member("alice");
    await page.goto("/docs/reference/member.login");
    const form = page.getByRole("region", { name: "Try it" });
    await form.getByLabel("Body", { exact: true }).fill(JSON.stringify({ tenantId: "t_demo", username, password }));
    await form.getByRole("button", { name: "Send" }).click();
    await form
      .getByRole("status")
      .getByText(/^200 in/)
      .waitFor();
  });

  it("the console's explorer says so, and shows the code", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    // The console's own cookie is for https and this machine alone; a proxy may still show its pages by http.
    await page.addInitScript("delete Crypto.prototype.subtle");
    await openConsole(page, world.service.developer, "/console/apps/app_demo_bot/api-explorer");
    await page.getByText("This page cannot sign calls").waitFor();
    assert.equal(await page.getByRole("button", { name: "Send call" }).count(), 0);
    await page.getByRole("tab", { name: "curl" }).waitFor();
    await assertAccessible(page);
  });
});
