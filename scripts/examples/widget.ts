import assert from "node:assert/strict";
import { before, test } from "node:test";
import { launchBrowser, NO_BROWSER } from "../../packages/web/test/support/browser.ts";
import { openChat, said, shopper, write } from "../../packages/web/test/support/widget-site.ts";
import type { InstalledExamples } from "./support/installed-examples.ts";

const PAGES = ["index.html", "delivery.html"];

/** The test of the example that is a site. */
export function testWidget(installed: () => InstalledExamples): void {
  let examples: InstalledExamples;
  before(() => {
    examples = installed();
  });

  test("the site has the widget on each page, and the conversation goes along", { skip: NO_BROWSER }, async () => {
    const { service } = examples;
    const address = new URL(service.baseUrl.replace("127.0.0.1", "localhost")).origin;
    for (const page of PAGES) {
      const html = await service.read(`examples/widget/${page}`);
      assert.ok(html.includes("http://localhost:8080"));
      await service.write(`examples/widget/${page}`, html.replaceAll("http://localhost:8080", address));
    }
    await using site = examples.start("widget", ["npm", "start"], { PORT: "0" });
    const [, port] = await site.writes(/^listening on (\d+)$/m);
    const origin = `http://localhost:${port}`;
    const allowed = ["apps", "update", "app_demo_service", "--origin", origin, "--anonymous-visitors", "on"];
    assert.equal((await service.portico(allowed)).code, 0);
    const browser = await launchBrowser();
    try {
      await using visitor = await shopper(browser);
      const { page, chat } = visitor;
      await page.goto(origin);
      await openChat(visitor);
      await write(visitor, "Do you have tulips?");
      await chat
        .getByRole("status")
        .getByText(/left|next/)
        .waitFor();
      await page.getByRole("link", { name: "Delivery" }).click();
      await page.getByRole("heading", { name: "Delivery" }).waitFor();
      await page.locator("#portico-widget").waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Ask about an order" }).click();
      await said(visitor, "Do you have tulips?").waitFor();
    } finally {
      await browser.close();
    }
  });
}
