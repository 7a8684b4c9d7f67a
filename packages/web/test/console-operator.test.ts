import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { ApiRefusedError, PorticoClient } from "@portico/sdk";
import type { Page } from "playwright-core";
import { MemberClient } from "../../server/test/support/member.ts";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole } from "./support/sign-in.ts";

const PASSWORD = "a-password-of-its-own-1";
/** Each of the 990 passwords takes 16 ms of a core, of which other tests have their share. */
const HASHED_WITHIN_MS = 140_000;
const HEADER = "username,name,password,phone";

describe("the operators' section of the console", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  const open = async (page: Page, path: string) =>
    await openConsole(page, world.service.operator, `/console/operator/${path}`);
  const follow = async (page: Page, name: string) =>
    await page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name, exact: true }).click();
  const memberLogin = (username: string, password: string) =>
    MemberClient.signIn(world.service, { tenantId: "t_demo", username, password });

  it("an operator approves what the console submitted, having seen what is new", async () => {
    await using developer = await world.visit();
    const { console: api } = await consoleAs(world.service.url, world.service.developer);
    const { appId } = await api.createApp({ body: { type: "BOT", displayName: "Lunch bot" } }, { tenantId: "t_demo" });
    await openConsole(developer.page, world.service.developer, `/console/apps/${appId}/overview`);
    await developer.page.getByRole("button", { name: "Submit for review" }).click();
    await developer.page.getByText("In review").first().waitFor();
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.operator);
    await page.getByRole("link", { name: "Operator", exact: true }).click();
    const links = page.getByRole("navigation", { name: "Operator" }).getByRole("link");
    await links.first().waitFor();
    const pages = ["Reviews", "Applications", "Tenants", "Members", "Groups", "Developers", "Audit log", "Health"];
    assert.deepEqual(await links.allInnerTexts(), pages);
    const review = page.getByRole("article", { name: "Lunch bot" });
    await review.getByText("Never approved before").waitFor();
    await review.getByRole("button", { name: "Approve" }).click();
    // It stays in its place, so that a second click meets nothing else.
    await review.getByText("Approved", { exact: true }).waitFor();
    assert.equal(await review.getByRole("button", { name: "Approve" }).count(), 0);
    // The developer's page asks by itself whether it has been decided.
    await developer.page.getByText("Active", { exact: true }).first().waitFor();
  });

  it("a review is rejected with a comment, which the owner reads", async () => {
    const { console: api } = await consoleAs(world.service.url, world.service.developer);
    const { appId } = await api.createApp({ body: { type: "BOT", displayName: "Spam bot" } }, { tenantId: "t_demo" });
    await api.submitApp({ params: { appId }, body: {} });
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "reviews");
    const review = page.getByRole("article", { name: "Spam bot" });
    await review.getByRole("button", { name: "Reject" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Reject" }).click();
    await dialog.getByText("Say what has to change.").waitFor();
    await dialog.getByRole("textbox", { name: "Comment" }).fill("Name it after its team.");
    await dialog.getByRole("button", { name: "Reject" }).click();
    await review.getByText("Rejected", { exact: true }).waitFor();
    const { review: decided } = await api.getApp({ params: { appId } });
    assert.deepEqual([decided?.state, decided?.comment], ["REJECTED", "Name it after its team."]);
  });

  it("an application is disabled: its bot's calls fail at once, its owner reads why; then it is enabled", async () => {
    const [credential] = world.service.app("app_demo_bot").credentials;
    assert.ok(credential);
    const { bot } = new PorticoClient({ baseUrl: world.service.url, appId: "app_demo_bot", ...credential });
    await bot.listApps();
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "applications?search=app_demo_bot");
    const row = page.getByRole("row", { name: "Demo bot" });
    await row.getByRole("button", { name: "Disable" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("It answers at night.");
    await dialog.getByRole("button", { name: "Disable" }).click();
    await row.getByRole("button", { name: "Enable" }).waitFor();
    await assert.rejects(bot.listApps(), (error) => error instanceof ApiRefusedError && error.code === "400005");

    await using owner = await world.visit();
    await openConsole(owner.page, world.service.developer, "/console/apps/app_demo_bot/overview");
    await owner.page.getByText("It answers at night.").waitFor();

    await row.getByRole("button", { name: "Enable" }).click();
    await row.getByRole("button", { name: "Disable" }).waitFor();
    await bot.listApps();
  });

  it("a quota is set, and given up for the default", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "applications?search=app_demo_mini&open=app_demo_mini");
    const quota = page.getByRole("region", { name: "Quota" });
    await quota.getByText("used today").waitFor();
    await quota.getByRole("button", { name: "Edit quota" }).click();
    await page.getByRole("dialog").getByLabel("Calls a day").fill("1234");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await quota.getByText(/^1,234/).waitFor();
    await quota.getByRole("button", { name: "Edit quota" }).click();
    await page.getByRole("dialog").getByLabel("Calls a day").fill("");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await quota.getByText(/^1,234/).waitFor({ state: "detached" });
  });

  it("a new member signs in; a reset of the password ends that, and the old password", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "members");
    await page.getByRole("button", { name: "New member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "User name" }).fill("hana");
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Hana");
    await dialog.getByRole("textbox", { name: "Phone number" }).fill("13900000041");
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Create" }).click();
    const row = page.getByRole("row", { name: "Hana" });
    await row.waitFor();
    const member = await memberLogin("hana", PASSWORD);
    assert.equal((await member.get("conversations")).status, 200);

    await row.getByRole("button", { name: "Reset password" }).click();
    await dialog.getByLabel("New password").fill("another-password-1");
    await dialog.getByRole("button", { name: "Reset password" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal((await member.get("conversations")).status, 401);
    await assert.rejects(memberLogin("hana", PASSWORD));
    await memberLogin("hana", "another-password-1");

    await row.getByRole("button", { name: "Disable" }).click();
    await dialog.getByRole("button", { name: "Disable" }).click();
    await row.getByText("Disabled").waitFor();
    await assert.rejects(memberLogin("hana", "another-password-1"));
  });

  it("1,000 members are imported, 10 wrong lines told by their numbers, and nobody twice", async (t) => {
    const wrong = new Map([
      [12, "two words,A,long enough 1,"],
      [13, ",A,long enough 1,"],
      [14, "bad14,A,short,"],
      [15, "bad15,A,,"],
      [16, "bad16,A,long enough 1,call me"],
      [17, "bad17,A,long enough 1"],
      [18, "bad18,A,long enough 1,,more"],
      [19, "m2,Again,long enough 1,"],
      [20, `bad20,${"x".repeat(101)},long enough 1,`],
      [21, "-bad21,A,long enough 1,"],
    ]);
    const lines = Array.from(
      { length: 1_000 },
      (_, n) => wrong.get(n + 2) ?? `m${n + 2},"Member, ${n + 2}",long enough ${n},`,
    );
    const file = { name: "members.csv", mimeType: "text/csv", buffer: Buffer.from([HEADER, ...lines].join("\r\n")) };
    const { operator } = await consoleAs(world.service.url, world.service.operator);
    await operator.createTenant({ body: { tenantId: "t_import", name: "Import" } });
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "members?tenant=t_import");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Choose a CSV file").setInputFiles(file);
    await dialog.getByText("members.csv has 1000 lines").waitFor();
    await assertAccessible(page);
    const figure = (name: string) => dialog.locator("dl > div", { hasText: name }).locator("dd").innerText();
    assert.deepEqual([await figure("Will be added"), await figure("With a problem")], ["990", "10"]);
    const problems = dialog.getByRole("list", { name: "Problems" }).getByRole("listitem");
    const told = (await problems.allInnerTexts()).map((text) => Number(/^Line (\d+)/.exec(text)?.[1]));
    assert.deepEqual(told, [...wrong.keys()]);

    await dialog.getByRole("button", { name: "Import" }).click();
    const begunAt = performance.now();
    await dialog.getByRole("button", { name: "Done" }).waitFor({ timeout: HASHED_WITHIN_MS });
    t.diagnostic(`imported in ${((performance.now() - begunAt) / 1_000).toFixed(1)} s`);
    assert.deepEqual([await figure("Added"), await figure("With a problem")], ["990", "10"]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save the report" }).click(),
    ]);
    const report = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    assert.deepEqual([report.length, report[1], report[13]], [1_001, '"2","CREATED",""', '"14","INVALID","password"']);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("1 to 20 of 990").waitFor();
    await MemberClient.signIn(world.service, { tenantId: "t_import", username: "m1001", password: "long enough 999" });

    await page.getByRole("button", { name: "Import", exact: true }).click();
    await dialog.getByLabel("Choose a CSV file").setInputFiles(file);
    await dialog.getByText("members.csv has 1000 lines").waitFor();
    assert.deepEqual([await figure("Will be added"), await figure("Members already")], ["0", "990"]);
    assert.ok(await dialog.getByRole("button", { name: "Import" }).isDisabled());
    await dialog.getByLabel("Choose another file").setInputFiles({ ...file, buffer: Buffer.from("name,phone\n") });
    await dialog.getByRole("alert").getByText("The first line has to be").waitFor();
  });

  it("a tenant is created, with a group in it, whose members are added and taken out", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "tenants");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New tenant" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Harbour");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("row", { name: "Harbour" }).getByRole("link", { name: "Members" }).click();
    await page.getByText("No members yet").waitFor();
    await follow(page, "Groups");
    await page.getByText("No groups yet").waitFor();

    await page.goto("/console/operator/groups?tenant=t_demo");
    await page.getByRole("button", { name: "New group" }).click();
    await dialog.getByRole("textbox", { name: "Name" }).fill("Night shift");
    await dialog.getByRole("button", { name: "Create" }).click();
    const row = page.getByRole("row", { name: "Night shift" });
    await row.getByRole("button", { name: "Details" }).click();
    await page.getByText("Nobody is in this group yet").waitFor();
    await page.getByRole("combobox", { name: "Members to add" }).fill("caro");
    await page.getByTitle("Carol (carol)").click();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Remove Carol" }).waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Remove Carol" }).click();
    await page.getByText("Nobody is in this group yet").waitFor();
  });

  it("a developer is created, who is refused this section in words", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "developers");
    await page.getByRole("button", { name: "New developer" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Phone number").fill("13800000091");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Ida");
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("row", { name: "Ida" }).waitFor();
    await using other = await world.visit();
    const account = { phone: "13800000091", password: PASSWORD, channelId: 1, operator: false };
    await openConsole(other.page, account, "/console/operator/members");
    await other.page.getByRole("heading", { name: "For operators only" }).waitFor();
    assert.equal(await other.page.getByRole("navigation", { name: "Operator" }).count(), 0);
    assert.equal(await other.page.getByRole("link", { name: "Operator", exact: true }).count(), 0);
  });

  it("the audit log is narrowed to what was done to one thing, and saved as a file", async () => {
    const { operator } = await consoleAs(world.service.url, world.service.operator);
    await operator.createTenant({ body: { tenantId: "t_formula", name: "=HYPERLINK(1)" } });
    await operator.updateTenant({ params: { tenantId: "t_formula" }, body: { name: "Harmless" } });
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "audit-log");
    await page.getByRole("searchbox", { name: "Target" }).fill("tenant:t_formula");
    await page.getByRole("row", { name: "Renamed a tenant" }).waitFor();
    await page.getByRole("row", { name: "Signed in" }).first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "JSON lines" }).check();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Export" }).click(),
    ]);
    const saved = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
    assert.deepEqual(
      saved.map((line) => JSON.parse(line).action),
      ["tenant.update", "tenant.create"],
    );
  });

  it("the health page tells of the service, and of what cannot be reached", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await open(page, "health");
    await page.getByText("Database (SQLite)").waitFor();
    await page.getByRole("table", { name: "Slowest routes" }).waitFor();
    await page
      .getByRole("table", { name: "Processes" })
      .getByText(/^\d+\.\d+\.\d+/)
      .waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Go live" }).waitFor();
  });
});
