import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole } from "./support/sign-in.ts";

const PASSWORD = "a-password-of-its-own-1";

describe("an application's pages in the console", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("a credential is rotated, its grace counted down, and ended", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps/app_demo_bot/credentials");
    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("dialog").getByText("appSecret", { exact: true }).waitFor();
    await page.getByRole("button", { name: "I have stored it" }).click();
    const timer = page.getByRole("timer");
    await timer.waitFor();
    const first = await timer.innerText();
    assert.match(first, /^2[34]:\d\d:\d\d left$/);
    await page.getByText(first).waitFor({ state: "detached" });
    await assertAccessible(page);
    await page.getByRole("button", { name: "Revoke old" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke old" }).click();
    await timer.waitFor({ state: "detached" });
    // While the dialog goes, there are two.
    await page.getByRole("button", { name: "Revoke old" }).first().waitFor({ state: "detached" });
  });

  it("a fault is rehearsed, a number out of its range refused, and the rehearsal ended", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps/app_demo_mini/overview");
    const section = page.getByRole("region", { name: "Rehearse a fault" });
    await section.getByRole("button", { name: "Rehearse", exact: true }).click();
    await section.getByRole("combobox", { name: "Fault" }).click();
    await page.getByTitle("Calls are answered late").click();
    await section.getByLabel("Late by milliseconds").fill("10001");
    await section.getByLabel("How many fail").fill("7");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("Enter a whole number from 1 to 10000.").waitFor();
    await section.getByLabel("Late by milliseconds").fill("500");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("Calls are answered late: 7 to come").waitFor();
    await assertAccessible(page);
    await section.getByRole("button", { name: "End it" }).and(page.locator(":focus")).click();
    await section.getByText("Nothing is rehearsed.").waitFor();
    await section.getByRole("button", { name: "Rehearse", exact: true }).and(page.locator(":focus")).click();
    await section.getByRole("button", { name: "Cancel" }).click();
    await section.getByRole("button", { name: "Rehearse", exact: true }).and(page.locator(":focus")).waitFor();
  });

  it("a scope that is held is given up only after a question", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps/app_demo_bot/scopes");
    const row = page.getByRole("row", { name: "bot.message.reply" });
    await row.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await row.getByText("Granted").waitFor();
    await row.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await row.getByRole("button", { name: "Request" }).click();
    await row.getByText("Requested").waitFor();
    await page.getByText("A reviewer looks at what was asked for.").waitFor();
  });

  it("a bot is installed for a member who is searched for, and uninstalled", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps/app_demo_bot/installations");
    await page.getByRole("combobox", { name: "Member" }).fill("caro");
    await page.getByText("Carol (carol)").click();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    const row = page.getByRole("row", { name: "Carol" });
    await assertAccessible(page);
    await row.getByRole("button", { name: "Uninstall" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Uninstall" }).click();
    await row.getByText("Uninstalled").waitFor();
    await page.getByRole("link", { name: "Audit log", exact: true }).click();
    await page.getByRole("row", { name: "Uninstalled the bot" }).first().click();
    await page.getByText('"status": "UNINSTALLED"').waitFor();
    await assertAccessible(page);
  });

  it("an agent is added, given fewer conversations, and removed", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps/app_demo_service/agents");
    await page.getByRole("combobox", { name: "Member" }).fill("alice");
    await page.getByText("Alice (alice)").click();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("row", { name: "Alice" });
    await row.getByRole("spinbutton").fill("3");
    await row.getByRole("button", { name: "Save" }).click();
    await row.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    const { console: api } = await consoleAs(world.service.url, world.service.developer);
    const agents = await api.listAgents({ params: { appId: "app_demo_service" } }, { tenantId: "t_demo" });
    assert.equal(agents.find(({ agentId }) => agentId === "alice")?.maxSessions, 3);
    await assertAccessible(page);
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
  });

  it("a canned reply is written, refused where its shortcut is taken, changed, and deleted after a question", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps/app_demo_service/agents");
    await page.getByRole("link", { name: "Canned replies", exact: true }).click();
    await page.getByText("No canned replies yet").waitFor();
    const write = async (shortcut: string, text: string) => {
      await page.getByRole("button", { name: "New reply" }).click();
      await page.getByRole("textbox", { name: "Shortcut" }).fill(shortcut);
      await page.getByRole("textbox", { name: "Text" }).fill(text);
      await page.getByRole("button", { name: "Save" }).click();
    };
    await write("no spaces", "x");
    await page.getByText("Enter letters, digits, _ or -.").waitFor();
    await page.getByRole("textbox", { name: "Shortcut" }).fill("hello");
    await page.getByRole("textbox", { name: "Text" }).fill("Hello {{visitor.nickname}}");
    await page.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("row", { name: "/hello" });
    await row.getByText("Hello {{visitor.nickname}}").waitFor();
    await write("HELLO", "another");
    await page.getByRole("alert").getByText("Another canned reply of the application has this shortcut.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await row.getByRole("button", { name: "Edit /hello" }).click();
    await page.getByRole("textbox", { name: "Text" }).fill("<b>Good day</b>");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("<b>Good day</b>").waitFor();
    await assertAccessible(page);
    await row.getByRole("button", { name: "Delete /hello" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No canned replies yet").waitFor();
  });

  it("the owner sees how the desk does, and only customer service has a desk", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const { console: api } = await consoleAs(world.service.url, world.service.developer);
    const agents = await api.listAgents({ params: { appId: "app_demo_service" } }, { tenantId: "t_demo" });
    await openConsole(page, world.service.developer, "/console/apps/app_demo_service/service");
    const now = page.getByRole("region", { name: "Now" });
    await now.getByText(`of ${agents.length}`).waitFor();
    const table = page.getByRole("table", { name: "Agents" });
    assert.equal(await table.getByRole("row").count(), agents.length + 1);
    await page.getByText("7 days", { exact: true }).click();
    await page.waitForURL("**/service?range=7d");
    await page.goto("/console/apps/app_demo_bot/service");
    await page.getByText("Only customer service has a desk").waitFor();
    assert.equal(await page.getByRole("link", { name: "Canned replies" }).count(), 0);
  });

  it("a developer who does not own an application sees no owner's buttons, and may install it", async () => {
    const { operator } = await consoleAs(world.service.url, world.service.operator);
    const colleague = { phone: "13800000077", password: PASSWORD, channelId: 1, name: "Colleague" };
    await operator.createDeveloper({ body: { ...colleague, tenants: ["t_demo"] } });
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, { ...colleague, operator: false });
    const start = "/console/apps/app_demo_bot";
    const owners = page.getByRole("button", { name: /^(Edit|Rotate|Request|Withdraw|Uninstall|Submit for review)$/ });
    for (const path of ["", "/credentials", "/scopes", "/installations"]) {
      await page.goto(`${start}${path}`);
      await page.getByText("View only").waitFor();
      await page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
      assert.equal(await owners.count(), 0, path);
    }
    await page.getByRole("button", { name: "Install", exact: true }).waitFor();
  });

  it("another login is ended from the list of sessions", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await using other = await world.visit();
    await openConsole(page, world.service.operator);
    await openConsole(other.page, world.service.operator);
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sessions" }).click();
    await page.getByRole("row", { name: "This one" }).waitFor();
    await assertAccessible(page);
    // The login that was used last stands first, after this one.
    const ends = page.getByRole("button", { name: "End", exact: true });
    const last = ends.nth((await ends.count()) - 1);
    await ends.first().click();
    await last.waitFor({ state: "detached" });
    await other.page.reload();
    await other.page.getByLabel("Phone number").waitFor();
  });

  it("an application that does not exist is told of, with the way back", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, "/console/apps/app_nowhere/scopes");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.getByRole("link", { name: "Applications" }).click();
    await page.getByRole("heading", { name: "Applications" }).waitFor();
  });
});
