import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole } from "./support/sign-in.ts";

describe("trying calls in the console", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  /** The explorer of the demo's bot, with its credential filled in. */
  async function openExplorer(page: Page, query = ""): Promise<void> {
    const [credential] = world.service.app("app_demo_bot").credentials;
    await openConsole(page, world.service.developer, `/console/apps/app_demo_bot/api-explorer${query}`);
    await page.getByRole("textbox", { name: "Credential" }).fill(credential?.credentialId ?? "");
    await page.getByRole("textbox", { name: "App secret" }).fill(credential?.appSecret ?? "");
  }

  it("a call is sent from the form, and is found in the log of requests and in the statistics", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    let sent = "";
    page.on("request", (request) => {
      sent += `${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`;
    });
    await openExplorer(page);
    await page.getByRole("textbox", { name: "receiveId", exact: true }).fill("g_demo");
    await page.getByText("JSON", { exact: true }).click();
    const body = page.getByRole("textbox", { name: "Body as JSON" });
    assert.equal(JSON.parse(await body.inputValue()).receiveId, "g_demo");
    await page.getByRole("button", { name: "Send call" }).click();
    await page.getByText("200 Succeeded").waitFor();
    await assertAccessible(page);
    const secret = world.service.app("app_demo_bot").credentials[0]?.appSecret ?? "";
    assert.equal((await page.innerText("body")).includes(secret), false, "nothing that is shown has the secret in it");
    assert.equal(sent.includes(secret), false, "the secret is not sent");
    assert.ok(sent.includes("x-open-signature"));
    await page.getByRole("link", { name: "Open in Requests" }).click();
    await page.getByText("/api/open/v2/bot/messages").first().waitFor();
    await page.getByRole("link", { name: "Statistics" }).click();
    await page.getByRole("img", { name: /Calls over time/ }).waitFor();
    await page.getByText("Show as a table").first().click();
    await page.getByRole("columnheader", { name: "Succeeded" }).waitFor();
    await assertAccessible(page);
  });

  it("the credential can be pasted whole, and the conversations are offered by their names", async (t) => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const [credential] = world.service.app("app_demo_bot").credentials;
    await openConsole(page, world.service.developer, "/console/apps/app_demo_bot/api-explorer");
    const field = page.getByRole("textbox", { name: "Credential" });
    await page.getByText(/The current one ends in \w{4}/).waitFor();
    await field.focus();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", ${JSON.stringify(JSON.stringify(credential))});
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    await t.waitFor(async () => assert.equal(await field.inputValue(), credential?.credentialId));
    await page.getByRole("combobox", { name: "Conversation" }).click();
    await page.getByText("Demo group", { exact: true }).last().click();
    assert.equal(await page.getByRole("textbox", { name: "receiveId", exact: true }).inputValue(), "g_demo");
    await page.getByRole("button", { name: "Send call" }).click();
    await page.getByText("200 Succeeded").waitFor();
    await assertAccessible(page);
  });

  it("a refused call says why, and JSON that is none says what is wrong with it", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openExplorer(page);
    await page.getByRole("textbox", { name: "App secret" }).fill("wrong");
    await page.getByRole("button", { name: "Send call" }).click();
    await page.getByText("401 Refused").waitFor();
    await page.getByText("JSON", { exact: true }).click();
    await page.getByRole("textbox", { name: "Body as JSON" }).fill('{"a":');
    await page.getByRole("alert").getByText("This is not JSON yet").waitFor();
    await assertAccessible(page);
  });

  it("a file is uploaded, and its call is shown in each language", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await openExplorer(page, "?call=uploadFile");
    const file = { name: 'a "b".txt', mimeType: "text/plain", buffer: Buffer.from([0, 255, 13, 10]) };
    await page.getByLabel("File").setInputFiles(file);
    await page.getByRole("button", { name: "Send call" }).click();
    await page.getByText("200 Succeeded").waitFor();
    assert.match(await page.getByText('"fileKey"').innerText(), /"size": 4\b/);
    for (const language of ["curl", "TypeScript", "Python", "Go", "Java"]) {
      await page.getByRole("tab", { name: language }).click();
      await page.getByRole("button", { name: `Copy ${language}` }).waitFor();
    }
  });
});
