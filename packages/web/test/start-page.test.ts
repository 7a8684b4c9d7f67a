import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";

describe("the start page", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("says that the service is well, and leads to its pages", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("status", { name: "Health" }).getByText("Healthy").waitFor();
    const links = page.getByRole("navigation", { name: "Where to go" }).getByRole("link");
    const addresses = await links.evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    assert.deepEqual(addresses, ["/console/", "/messenger/", "/desk/", "/docs/"]);
    await page.getByRole("button", { name: "Sign in as Alice" }).waitFor();
    await assertAccessible(page);
  });

  it("one press signs a developer in to the console, who stays so after a reload", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("button", { name: "Sign in as Dev" }).click();
    await page.getByRole("heading", { name: "Applications" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Applications" }).waitFor();
  });

  it("one press signs a member in to the messenger", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("button", { name: "Sign in as Alice" }).click();
    await page.getByRole("list", { name: "Conversations" }).waitFor();
  });
});
