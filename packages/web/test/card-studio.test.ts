import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openConsole, signInToMessenger } from "./support/sign-in.ts";

const TEMPLATES = "/console/apps/app_demo_bot/card-templates";

const cardJson = (page: Page) => page.getByRole("textbox", { name: "Card JSON" });
const problems = (page: Page) => page.getByRole("list", { name: "Problems" }).getByRole("listitem");
const preview = (page: Page) => page.getByRole("region", { name: "Preview" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A card with one text. */
/** As they are spelled, JavaScript does not write them. */
const NUMBERS = "[1.50, -0, 12345678901234567890]";

function cardWith(content: string, tag = "markdown"): string {
  return JSON.stringify({ schema: "2.0", body: { elements: [{ tag, content }] } }, null, 2);
}

/** Puts a text into the clipboard, and from there into the editor, in place of what is there. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await cardJson(page).press("ControlOrMeta+a");
  await cardJson(page).press("ControlOrMeta+v");
}

describe("the card studio", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  async function open(page: Page, path: string): Promise<void> {
    await openConsole(page, world.service.developer, TEMPLATES + path);
  }

  it("a template is made from an example, mended, saved, sent to oneself and seen in the messenger", async () => {
    await using developer = await world.visit();
    const { page } = developer;
    await open(page, "");
    await page.getByRole("heading", { name: "Card templates" }).waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Begin with Alert" }).click();
    await preview(page).getByText("Payments are failing").waitFor();
    assert.equal(await problems(page).count(), 0);
    await assertAccessible(page);

    await cardJson(page).fill(cardWith("**Deploy 7** is out", "markdwon"));
    await problems(page).filter({ hasText: "markdwon" }).waitFor();
    await preview(page).getByText("Deploy 7").waitFor();
    await button(page, "Save").click();
    assert.match(await page.getByRole("alert").innerText(), /not saved.*1 problem/is);
    await problems(page).getByRole("button").click();
    assert.equal(await page.evaluate("getSelection().toString()"), '"markdwon"');
    await page.keyboard.insertText('"markdown"');
    await problems(page).waitFor({ state: "detached" });

    await page.getByRole("textbox", { name: "Template name" }).fill("Deploy");
    await button(page, "Save").click();
    await page.waitForURL(/card-templates\/tpl_/);
    await page.getByText("Version 1", { exact: true }).waitFor();
    await button(page, "Send to me").click();
    await page.getByText("Sent to alice").waitFor();

    await using member = await world.visit();
    await signInToMessenger(member.page, world.service.member("alice"));
    await member.page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: "Demo bot" }).click();
    await member.page.locator("[data-card]").getByText("Deploy 7").waitFor();
  });

  it("keeps versions: an older one is compared with the text, and restored", async () => {
    await using developer = await world.visit();
    const { page } = developer;
    await open(page, "/new");
    await page.getByRole("textbox", { name: "Template name" }).fill("Twice");
    for (const [version, content] of [
      [1, "first text"],
      [2, "second text"],
    ] as const) {
      await cardJson(page).fill(cardWith(content).replace("{", `{ "n": ${NUMBERS},`));
      await button(page, "Save").click();
      await page.getByText(`Version ${version}`, { exact: true }).waitFor();
    }
    await page.reload();
    await cardJson(page).getByText(NUMBERS).waitFor();
    await button(page, "Versions").click();
    await page.getByRole("button", { name: /^Version 1/ }).click();
    const difference = page.getByRole("textbox", { name: /^Version 1, Compared/ });
    await difference.getByText("first text").waitFor();
    await assertAccessible(page);
    await button(page, "Restore").click();
    await preview(page).getByText("first text").waitFor();
    await cardJson(page).getByText(NUMBERS).waitFor();
    await page.getByText("Not saved", { exact: true }).waitFor();
  });

  it("does not lose what has not been saved without asking", async () => {
    await using developer = await world.visit();
    const { page } = developer;
    await open(page, "/new");
    await cardJson(page).fill(cardWith("half a thought"));
    await preview(page).getByText("half a thought").waitFor();
    await page.getByRole("link", { name: "Card templates" }).click();
    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await preview(page).getByText("half a thought").waitFor();
    await page.getByRole("link", { name: "Card templates" }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "Card templates" }).waitFor();
  });

  it("converts a card of Feishu that is pasted, says what it changed, and takes it back", async () => {
    await using developer = await world.visit({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page } = developer;
    await open(page, "/new");
    const older = { elements: [{ tag: "div", text: { tag: "lark_md", content: "**CPU** at 97%" } }] };
    await paste(page, JSON.stringify(older));
    const notice = page.getByRole("status").filter({ hasText: "Converted from a Feishu card" });
    await notice.getByText("div became markdown.").waitFor();
    await preview(page).getByText("CPU").waitFor();
    assert.equal(await problems(page).count(), 0);
    await notice.getByRole("button", { name: "Undo" }).click();
    await problems(page).first().waitFor();
    await button(page, "Convert from Feishu").click();
    await problems(page).first().waitFor({ state: "detached" });
  });

  it("puts components into the card, and shows it as others see it", async () => {
    await using developer = await world.visit();
    const { page } = developer;
    await open(page, "/new?example=welcome");
    await preview(page).getByText("Hello, I am your assistant").waitFor();
    await button(page, "Data").click();
    await page.getByRole("menuitem", { name: /^Table/ }).click();
    await preview(page).getByRole("cell", { name: "Second" }).waitFor();
    await preview(page).getByRole("combobox", { name: "Reader's language" }).click();
    await page.getByTitle("zh_cn").click();
    await preview(page).getByRole("heading", { name: "你好，我是你的助手" }).waitFor();
    await preview(page).getByText("Dark", { exact: true }).click();
    await preview(page).locator("[data-card][data-theme=dark]").waitFor();
    await cardJson(page).fill('{"schema": "2.0", "body": ');
    await problems(page).filter({ hasText: "not valid JSON" }).waitFor();
    await preview(page).getByText("你好，我是你的助手").waitFor();
  });

  it("a template that is deleted is gone from the list", async () => {
    await using developer = await world.visit();
    const { page } = developer;
    await open(page, "/new?example=poll");
    await preview(page).getByText("Noodles around the corner").waitFor();
    await button(page, "Save").click();
    await page.waitForURL(/card-templates\/tpl_/);
    await page.getByRole("link", { name: "Card templates" }).click();
    await button(page, "Delete Poll").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("link", { name: "Poll", exact: true }).waitFor({ state: "detached" });
  });
});
