import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { PorticoClient } from "@portico/sdk";
import type { Page } from "playwright-core";
import { MemberClient } from "../../server/test/support/member.ts";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole } from "./support/sign-in.ts";

const PASSWORD = "a-password-of-its-own-1";

describe("the data of one person in the console", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  const openAsOperator = (page: Page, path: string) =>
    openConsole(page, world.service.operator, `/console/operator/${path}`);

  /** What a dialog has the browser save: a line of JSON each. */
  async function savedBy(page: Page, press: () => Promise<void>): Promise<{ kind: string }[]> {
    const download = page.waitForEvent("download");
    await press();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line));
  }

  it("a member is exported and erased: signed out at once, and told of as erased", async () => {
    const { operator } = await consoleAs(world.service.url, world.service.operator);
    const body = { username: "ingrid", name: "Ingrid", password: PASSWORD };
    const { userId } = await operator.createMember({ body }, { tenantId: "t_demo" });
    const member = await MemberClient.signIn(world.service, { tenantId: "t_demo", ...body });
    await using visitor = await world.visit();
    const { page } = visitor;
    await openAsOperator(page, `members?open=${userId}`);
    const data = page.getByRole("region", { name: "Personal data" });
    const dialog = page.getByRole("dialog");
    await data.getByRole("button", { name: "Export data" }).click();
    const records = await savedBy(page, () => dialog.getByRole("button", { name: "Export" }).click());
    assert.deepEqual([records[0]?.kind, records.some(({ kind }) => kind === "login")], ["member", true]);
    await dialog.waitFor({ state: "detached" });

    await data.getByRole("button", { name: "Erase" }).click();
    await assertAccessible(page);
    const name = dialog.getByRole("textbox", { name: "Type “Ingrid” to go on" });
    await name.fill("ingrid");
    await dialog.getByRole("button", { name: "Erase" }).click();
    await dialog.getByText("This is not the name above.").waitFor();
    assert.equal((await member.get("conversations")).status, 200, "nothing has happened");
    await name.fill("Ingrid");
    await dialog.getByRole("button", { name: "Erase" }).click();
    await page.getByRole("dialog", { name: "Ingrid was erased" }).waitFor();
    assert.equal((await member.get("conversations")).status, 401);
    await dialog.getByText("Audit entries emptied").waitFor();
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: "Erased member" });
    await row.waitFor();
    assert.equal(await row.getByRole("button", { name: "Edit" }).count(), 0);
    await page.getByRole("region", { name: "Erased" }).getByText("Finished").waitFor();
  });

  it("an identity is listed and disconnected, after asking", async () => {
    const identity = {
      identityId: "idn_1",
      issuer: "https://login.example/t",
      subject: "a-b-c",
      createdAt: Date.now(),
    };
    let items = [identity];
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.route(/\/identities(\/idn_1)?$/, async (route) => {
      if (route.request().method() !== "DELETE") return await route.fulfill({ json: { items } });
      items = [];
      await route.fulfill({ status: 204 });
    });
    await openAsOperator(page, "members?open=u_bob");
    const region = page.getByRole("region", { name: "Sign-in with the provider" });
    await region.getByRole("row", { name: "a-b-c" }).getByRole("button", { name: "Disconnect" }).click();
    const dialog = page.getByRole("dialog", { name: "Disconnect from login.example?" });
    await assertAccessible(page);
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await region.getByText("Not connected with a provider.").waitFor();
  });

  it("a visitor is exported and erased by the owner of the application", async () => {
    const appId = "app_demo_service";
    const [credential] = world.service.app(appId).credentials;
    assert.ok(credential);
    const { customer } = new PorticoClient({ baseUrl: world.service.url, appId, ...credential });
    const { visitorId } = await customer.authVisitor({ thirdUserId: "c-olga", nickname: "Olga" });
    await customer.sendMessage({ visitorId, content: "hello from Olga" });
    await using visitor = await world.visit();
    const { page } = visitor;
    await openConsole(page, world.service.developer, `/console/apps/${appId}/visitors?search=Olga&open=${visitorId}`);
    const data = page.getByRole("region", { name: "Personal data" });
    const dialog = page.getByRole("dialog");
    await data.getByRole("button", { name: "Export data" }).click();
    const records = await savedBy(page, () => dialog.getByRole("button", { name: "Export" }).click());
    assert.deepEqual(records.map(({ kind }) => kind).slice(0, 3), ["visitor", "session", "message"]);
    await dialog.waitFor({ state: "detached" });
    await data.getByRole("button", { name: "Erase" }).click();
    await dialog.getByRole("textbox", { name: "Type “Olga” to go on" }).fill("Olga");
    await dialog.getByRole("button", { name: "Erase" }).click();
    await page.getByRole("dialog", { name: "Olga was erased" }).getByText("Messages emptied").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.goto(`/console/apps/${appId}/visitors?search=${visitorId}`);
    const row = page.getByRole("row", { name: "Erased visitor" });
    await row.waitFor();
    assert.equal(await row.getByRole("button", { name: "Enable" }).count(), 0);
  });

  it("a token for a tenant's directory is made, shown once, works, and is deleted", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openAsOperator(page, "tenants?open=t_demo");
    const region = page.getByRole("region", { name: "Company directory (SCIM)" });
    await region.getByText("No directory manages this tenant.").waitFor();
    await region.getByRole("button", { name: "New token" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Entra ID");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("dialog", { name: "Token of Entra ID" }).waitFor();
    await assertAccessible(page);
    const [address = "", token = ""] = await dialog.locator("dd code").allInnerTexts();
    const users = () => fetch(`${address}/Users`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal((await users()).status, 200);
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    const row = region.getByRole("row", { name: "Entra ID" });
    await row.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await region.getByText("No directory manages this tenant.").waitFor();
    assert.equal((await users()).status, 401);
  });
});
