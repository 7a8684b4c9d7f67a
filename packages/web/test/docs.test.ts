import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";

const tryIt = (page: Page) => page.getByRole("region", { name: "Try it" });

async function fillIn(form: Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
}

describe("the docs", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  it("lead from the start page to a page of the guide, and along its links", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/");
    await page.getByRole("navigation", { name: "Where to go" }).getByRole("link", { name: "Docs" }).click();
    await page.getByRole("heading", { name: "Build on Portico" }).waitFor();
    const contents = page.getByRole("navigation", { name: "Contents" });
    await contents.getByRole("link", { name: "Signing", exact: true }).click();
    await page.getByRole("heading", { name: "Signing", level: 1 }).waitFor();
    assert.equal(
      await contents.getByRole("link", { name: "Signing", exact: true }).getAttribute("aria-current"),
      "page",
    );
    await contents.getByRole("link", { name: "Messages of a bot" }).click();
    await page.getByRole("article").getByRole("link", { name: "limits.md" }).first().click();
    await page.getByRole("heading", { name: "Limits", level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/docs/guide/contract/limits");
  });

  it("find a call by words of its name, and show what it takes, gives and refuses", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/");
    await page.getByRole("searchbox").fill("send message conversation");
    await page.getByRole("link", { name: /^POST Send a message to a conversation/ }).click();
    const body = page.getByRole("region", { name: "Body" });
    await body.getByRole("button", { name: "image" }).click();
    await body.getByText("width", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Errors" }).getByText("The bot is not installed").waitFor();
    await page.getByRole("button", { name: "Python" }).click();
    await page.getByText("import hashlib").waitFor();
    await page.getByRole("searchbox").fill("zzzz");
    await page.getByText("Nothing was found of “zzzz”.").waitFor();
  });

  it("find places in the texts by keyboard alone, and lead to the heading", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/guide/scaling");
    await page.getByRole("heading", { name: "Scaling", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("percent-decode plus sign");
    const hits = page.getByRole("list", { name: "In the texts" });
    await hits.getByRole("link", { name: "Signing › The canonical query" }).waitFor();
    assert.equal(await hits.locator("mark").first().innerText(), "Percent-decode");
    await assertAccessible(page);
    await page.keyboard.press("ArrowDown");
    await hits.getByRole("link").first().and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/guide/contract/signing#the-canonical-query");
    await page.getByRole("heading", { name: "The canonical query" }).waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("Escape");
    assert.equal(await page.getByRole("searchbox").inputValue(), "");
    await hits.waitFor({ state: "hidden" });
  });

  it("find a call by what it takes, though its name does not say so", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/");
    await page.getByRole("searchbox").fill("thirdUserId nickname");
    const hits = page.getByRole("list", { name: "In the texts" });
    await hits.getByRole("link", { name: "Make a user of yours a visitor" }).click();
    await page.waitForURL("**/docs/reference/*authVisitor");
  });

  it("offer a page in the other language, in the contents and on the page", async () => {
    await using visitor = await world.visit({ locale: "zh-CN" });
    const { page } = visitor;
    await page.goto("/docs/");
    await page.getByRole("searchbox").fill("机器人 凭证");
    await page
      .getByRole("list", { name: "正文内容" })
      .getByRole("link", { name: /五分钟写一个机器人/ })
      .first()
      .waitFor();
    await page.getByRole("searchbox").fill("");
    const contents = page.getByRole("navigation", { name: "目录" });
    await contents.getByRole("link", { name: "五分钟写一个机器人", exact: true }).click();
    await page.getByRole("heading", { name: "五分钟写一个机器人", level: 1 }).waitFor();
    assert.equal(await page.getByRole("article").getAttribute("lang"), "zh-CN");
    await page.reload();
    await page.getByRole("article").getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "A bot in five minutes", level: 1 }).waitFor();
  });

  it("make a signed call, whose message is there; the secret is stored nowhere", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/reference/bot.sendMessage");
    const form = tryIt(page);
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByRole("alert").getByText("Fill in Application, Credential, App secret first.").waitFor();
    const { appId, credentials } = world.service.app("app_demo_bot");
    const { credentialId, appSecret } = credentials[0] ?? assert.fail("the demo's bot has a credential");
    await fillIn(form, { Application: appId, Credential: credentialId, "App secret": appSecret, Body: "{" });
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByRole("alert").getByText("The body is not valid JSON.").waitFor();
    const text = "said by the docs";
    const sent = { receiveIdType: "group_id", receiveId: "g_demo", msgType: "text", content: { text } };
    await fillIn(form, { Body: JSON.stringify(sent) });
    await form.getByRole("button", { name: "Send" }).click();
    await form
      .getByRole("status")
      .getByText(/^200 in/)
      .waitFor();
    const answer = JSON.parse((await form.getByRole("figure").first().locator("pre").innerText()) || "null");
    assert.equal(answer.code, "000000");
    // The same credentials are there for the next call.
    await page.getByRole("searchbox").fill("Show the calling application");
    await page.getByRole("link", { name: /^GET Show the calling application/ }).click();
    await tryIt(page).getByRole("button", { name: "Send" }).click();
    await tryIt(page).getByText('"app_demo_bot"').first().waitFor();
    const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    assert.ok(!String(stored).includes(appSecret));
  });

  it("show a refusal as it was answered", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    await page.goto("/docs/reference/bot.listApps");
    const form = tryIt(page);
    await fillIn(form, { Application: "app_demo_bot", Credential: "cred_demo_bot", "App secret": "wrong" });
    await form.getByRole("button", { name: "Send" }).click();
    await form
      .getByRole("status")
      .getByText(/^401 in/)
      .waitFor();
    await form.getByText('"400001"').waitFor();
    await form.getByText("The caller could not be authenticated.").waitFor();
  });

  it("begin a call with a sample that the demo world takes, in the reader's language", async () => {
    await using visitor = await world.visit({ locale: "zh-CN" });
    const { page } = visitor;
    await page.goto("/docs/reference/bot.sendMessage");
    const form = page.getByRole("region", { name: "试一试" });
    const { appId, credentials } = world.service.app("app_demo_bot");
    const { credentialId, appSecret } = credentials[0] ?? assert.fail("the demo's bot has a credential");
    await fillIn(form, { 应用: appId, 凭证: credentialId, 应用密钥: appSecret });
    assert.match(await form.getByLabel("请求体").inputValue(), /构建 1234 已通过/);
    await form.getByRole("button", { name: "发送" }).click();
    await form.getByRole("status").getByText(/^200/).waitFor();
  });

  it("make a member's call with a token, and one that anybody may make", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    const { username, password } = world.service.member("alice");
    await page.goto("/docs/reference/member.login");
    await fillIn(tryIt(page), { Body: JSON.stringify({ tenantId: "t_demo", username, password }) });
    await tryIt(page).getByRole("button", { name: "Send" }).click();
    await tryIt(page)
      .getByRole("status")
      .getByText(/^200 in/)
      .waitFor();
    const login = JSON.parse(await tryIt(page).getByRole("figure").first().locator("pre").innerText());
    await page.goto("/docs/reference/member.listConversations");
    await fillIn(tryIt(page), { "Access token": login.value.accessToken });
    await tryIt(page).getByRole("button", { name: "Send" }).click();
    await tryIt(page).getByText('"group:g_demo"').first().waitFor();
  });

  it("say so where there is no such page", async () => {
    await using visitor = await world.visit();
    const { page } = visitor;
    for (const path of ["/docs/guide/nothing", "/docs/reference/nothing", "/docs/nothing"]) {
      await page.goto(path);
      await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    }
  });

  it("on a phone: the contents are behind a button, and the page is no wider than the screen", async () => {
    await using visitor = await world.visit({ viewport: { width: 390, height: 844 }, locale: "zh-CN" });
    const { page } = visitor;
    await page.goto("/docs/reference/bot.sendMessage");
    await page.getByRole("region", { name: "试一试" }).waitFor();
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
    assert.equal(await page.evaluate("document.querySelector('main').scrollWidth <= innerWidth"), true);
    await page.getByRole("button", { name: "目录" }).click();
    await page.getByRole("link", { name: "Signing", exact: true }).click();
    await page.getByRole("heading", { name: "Signing", level: 1 }).waitFor();
    assert.equal(await page.getByRole("searchbox").isVisible(), false);
    await assertAccessible(page);
  });
});
