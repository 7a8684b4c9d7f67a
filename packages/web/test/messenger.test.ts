import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PorticoClient } from "@portico/sdk";
import jsqr from "jsqr";
import type { Browser, Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { launchBrowser, NO_BROWSER } from "./support/browser.ts";
import { DemoService } from "./support/demo-service.ts";
import { demoBot } from "./support/seed-messages.ts";
import { openMessenger, signInToMessenger } from "./support/sign-in.ts";
import { visit } from "./support/visit.ts";

const CARD = { schema: "2.0" as const, header: { title: { content: "Deploy 42" } }, body: { elements: [] } };

describe("the messenger", { skip: NO_BROWSER }, () => {
  let service: DemoService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([DemoService.start(), launchBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(page: Page, username: string, conversation = "Demo group"): Promise<void> {
    await openMessenger(page, service.member(username));
    await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: conversation }).click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
  }

  async function write(page: Page, text: string): Promise<void> {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  }

  const said = (page: Page, text: string) =>
    page.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: text });

  it("two members see what the other writes, at once and once", async () => {
    await using alice = await visit(browser, service.url);
    await using bob = await visit(browser, service.url);
    await signInToMessenger(bob.page, service.member("bob"));
    await Promise.all([open(alice.page, "alice"), open(bob.page, "bob")]);
    await write(alice.page, "Hello Bob");
    await said(bob.page, "Hello Bob").waitFor();
    await write(bob.page, "Hello Alice");
    await said(alice.page, "Hello Alice").waitFor();
    assert.equal(await said(alice.page, "Hello Bob").count(), 1);
    assert.equal(await said(bob.page, "Hello Alice").count(), 1);
    await assertAccessible(alice.page);
  });

  it("a message that could not be sent says so, and is sent when it is tried again", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    await alice.context.setOffline(true);
    await write(alice.page, "from the tunnel");
    await alice.page.getByRole("button", { name: "Retry" }).waitFor();
    await alice.page.getByRole("status").filter({ hasText: "You are offline" }).waitFor();
    await alice.context.setOffline(false);
    await alice.page.getByRole("button", { name: "Retry" }).click();
    await alice.page.getByRole("button", { name: "Retry" }).waitFor({ state: "detached" });
    await said(alice.page, "from the tunnel").waitFor();
    assert.equal(await said(alice.page, "from the tunnel").count(), 1);
  });

  it("what was said while the network was gone is there when it is back", async () => {
    await using alice = await visit(browser, service.url);
    await using bob = await visit(browser, service.url);
    await Promise.all([open(alice.page, "alice"), open(bob.page, "bob")]);
    await write(bob.page, "before the tunnel");
    await said(alice.page, "before the tunnel").waitFor();
    await service.halt("SIGKILL");
    await service.resume();
    await write(bob.page, "after the tunnel");
    const retry = bob.page.getByRole("button", { name: "Retry" });
    await Promise.race([retry.waitFor(), said(bob.page, "after the tunnel").waitFor()]);
    if (await retry.isVisible()) await retry.click();
    await said(alice.page, "after the tunnel").waitFor({ timeout: CONNECTED_WITHIN_MS });
    assert.equal(await said(alice.page, "after the tunnel").count(), 1);
  });

  it("a bot's card comes, changes and goes before the eyes of the member", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    const { appId, credentials } = service.app("app_demo_bot");
    const [credential] = credentials;
    assert.ok(credential);
    const { bot } = new PorticoClient({ baseUrl: service.url, appId, ...credential });
    const sent = await bot.sendMessage({
      receiveIdType: "group_id",
      receiveId: "g_demo",
      msgType: "card",
      content: { card: CARD },
    });
    const card = alice.page.locator(`[data-card="${sent.messageId}"]`);
    await card.getByText("Deploy 42").waitFor();
    await alice.page.getByRole("listitem").filter({ hasText: "Demo bot: Deploy 42" }).waitFor();
    await bot.updateCard({
      messageId: sent.messageId,
      card: { ...CARD, header: { title: { content: "Deploy 42 is done" } } },
    });
    await card.getByText("Deploy 42 is done").waitFor();
    await bot.recallCard(sent.messageId);
    await card.waitFor({ state: "detached" });
    await said(alice.page, "This message was recalled.").waitFor();
  });

  it("a bot is installed in a group and uninstalled", async () => {
    await using bob = await visit(browser, service.url);
    await open(bob.page, "bob");
    await bob.page.getByRole("button", { name: "Bots" }).click();
    const row = bob.page.getByRole("dialog").getByRole("row", { name: "Demo bot" });
    await row.getByRole("button", { name: "Uninstall" }).click();
    await row.getByRole("button", { name: "Install", exact: true }).click();
    await row.getByRole("button", { name: "Uninstall" }).waitFor();
  });

  it("a double click on Install leaves the bot installed", async () => {
    await using bob = await visit(browser, service.url);
    await open(bob.page, "bob");
    await bob.page.getByRole("button", { name: "Bots" }).click();
    const row = bob.page.getByRole("dialog").getByRole("row", { name: "Demo bot" });
    await row.getByRole("button", { name: "Uninstall" }).click();
    const install = row.getByRole("button", { name: "Install", exact: true });
    await install.waitFor();
    // The second click comes when the button has become its opposite.
    const [{ x, y, width, height }] = [(await install.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }];
    const { mouse } = bob.page;
    await mouse.move(x + width / 2, y + height / 2);
    await mouse.down({ clickCount: 1 });
    await mouse.up({ clickCount: 1 });
    await row.getByRole("button", { name: "Uninstall" }).waitFor();
    await mouse.down({ clickCount: 2 });
    await mouse.up({ clickCount: 2 });
    await bob.page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await bob.page.getByRole("button", { name: "Bots" }).click();
    await row.getByRole("button", { name: "Uninstall" }).waitFor();
  });

  it("a text that is too long stays in the field with words, counted as the service counts", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    const field = alice.page.getByRole("textbox", { name: "Message" });
    await field.fill(`${"😀".repeat(10_000)}ab`);
    await alice.page.getByText("2 characters too many. At most 10,000 can be sent at once.").waitFor();
    await field.press("Enter");
    assert.equal(await alice.page.getByRole("button", { name: "Send" }).isDisabled(), true);
    await field.fill("😀".repeat(10_000));
    await field.press("Enter");
    await alice.page.getByRole("article", { name: "Sent" }).waitFor({ state: "detached" });
    assert.equal(await field.inputValue(), "");
  });

  it("what failed is put back into the field, a file too", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    await alice.page.route("**/messages", (route) => route.abort());
    const field = alice.page.getByRole("textbox", { name: "Message" });
    await write(alice.page, "to be mended");
    await field.fill("more");
    await alice.page.getByRole("button", { name: "Put back" }).click();
    assert.equal(await field.inputValue(), "more\nto be mended");
    await alice.page.getByRole("button", { name: "Put back" }).waitFor({ state: "detached" });
    await paste(alice.page, "notes.txt", "notes.txt");
    await field.fill("");
    await field.press("Enter");
    await alice.page.getByRole("button", { name: "Put back" }).click();
    await alice.page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
  });

  it("a file that was copied with its name as text is attached, and a picture beside a text is not", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    await paste(alice.page, "notes.txt", "notes.txt");
    await alice.page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
    assert.equal(await alice.page.getByRole("textbox", { name: "Message" }).inputValue(), "");
    await paste(alice.page, "1\t2", "image.png");
    assert.equal(await alice.page.getByRole("button", { name: "Remove image.png" }).count(), 0);
  });

  it("of a very long text the beginning is drawn, and more when it is asked for", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    await demoBot(service).say(`${"x".repeat(15_000)} the end`);
    const more = alice.page.getByRole("button", { name: "Show more" });
    await more.waitFor();
    assert.equal(await said(alice.page, "the end").count(), 0);
    await more.click();
    await said(alice.page, "the end").waitFor();
    assert.equal(await more.count(), 0);
  });

  it("what is unread is counted, also after a reload, until it has been seen", async () => {
    await using carol = await visit(browser, service.url);
    await using bob = await visit(browser, service.url);
    await Promise.all([open(carol.page, "carol"), open(bob.page, "bob")]);
    await write(bob.page, "all of this is seen");
    await said(carol.page, "all of this is seen").waitFor();
    await carol.page.getByRole("link", { name: "Portico" }).click();
    const group = carol.page.getByRole("listitem").filter({ hasText: "Demo group" });
    await group.waitFor();
    await write(bob.page, "one");
    await write(bob.page, "two");
    await group.getByText("2 unread messages").waitFor();
    await carol.page.reload();
    await group.getByText("2 unread messages").waitFor();
    assert.match(await carol.page.title(), /^\(2\)/);
    await group.getByRole("link").click();
    await carol.page.getByRole("log").getByText("New", { exact: true }).waitFor();
    await group.getByText("2 unread messages").waitFor({ state: "detached" });
    await carol.page.reload();
    await said(carol.page, "two").waitFor();
    assert.equal(await group.getByText(/unread/).count(), 0);
  });

  it("an @ offers the members and bots whose names begin so, by keyboard too", async () => {
    await using alice = await visit(browser, service.url);
    await using bob = await visit(browser, service.url);
    await Promise.all([open(alice.page, "alice"), open(bob.page, "bob")]);
    const field = alice.page.getByRole("textbox", { name: "Message" });
    await field.pressSequentially("Hello @bo");
    await alice.page.getByRole("listbox").getByRole("option", { name: "Bob" }).waitFor();
    await assertAccessible(alice.page);
    // What is typed before the next frame is drawn belongs behind the name, too: frames come when the test says so.
    await alice.page.evaluate("void (requestAnimationFrame = (draw) => (globalThis.held ??= []).push(draw))");
    await field.press("Enter");
    await field.pressSequentially("please");
    await alice.page.evaluate("globalThis.held?.forEach((draw) => draw(0))");
    await field.pressSequentially(" look");
    assert.equal(await field.inputValue(), "Hello @Bob please look");
    await field.press("Enter");
    await said(bob.page, "Hello @Bob please look").locator("[data-me]").waitFor();
  });

  it("an @ behind Chinese offers whose name holds what is typed, with its blanks and by its initials", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    const field = alice.page.getByRole("textbox", { name: "Message" });
    const options = alice.page.getByRole("listbox").getByRole("option");
    for (const [typed, name] of [
      ["请@emo", "Demo bot"],
      ["@Demo b", "Demo bot"],
      ["@aro", "Carol"],
    ] as const) {
      await field.fill("");
      await field.pressSequentially(typed);
      await options.filter({ hasText: name }).waitFor();
    }
    await field.fill("");
    await field.pressSequentially("a@bo");
    assert.equal(await options.count(), 0);
  });

  it("a bot's name that was typed and not chosen is asked for", async () => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    const field = alice.page.getByRole("textbox", { name: "Message" });
    await field.fill("hello @Demo bot, are you there");
    await field.press("Enter");
    const question = alice.page.getByRole("alertdialog", { name: "Mention Demo bot?" });
    await question.waitFor();
    await assertAccessible(alice.page);
    await question.press("Escape");
    await question.waitFor({ state: "detached" });
    await field.press("Enter");
    await question.getByRole("button", { name: "Mention", exact: true }).press("Enter");
    await said(alice.page, "hello @Demo bot, are you there").getByText("@Demo bot", { exact: true }).waitFor();
    await write(alice.page, "and @Demo bot again");
    await question.getByRole("button", { name: "Send without" }).click();
    await said(alice.page, "and @Demo bot again").waitFor();
    assert.equal(await said(alice.page, "and @Demo bot again").getByText("@Demo bot", { exact: true }).count(), 0);
  });

  it("a picture is pasted, shown with its upload, and opened large", async (t) => {
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    const [chooser] = await Promise.all([
      alice.page.waitForEvent("filechooser"),
      alice.page.getByRole("button", { name: "Attach a file" }).click(),
    ]);
    await chooser.setFiles([
      { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(DOT, "base64") },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a note") },
    ]);
    await alice.page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
    await alice.page.getByRole("button", { name: "Send" }).click();
    await alice.page.getByRole("link", { name: /Download notes.txt/ }).waitFor();
    await alice.page.getByRole("button", { name: "Picture dot.png" }).click();
    const large = alice.page.getByRole("dialog").getByRole("img", { name: "dot.png" });
    await large.waitFor();
    for (let sent = 0; sent < 30; sent++) await demoBot(service).say("so on\n".repeat(12));
    // Its message leaves the view, and with it the page. To press the picture may have moved the log, which then does not
    // follow what comes.
    await t.waitFor(async () => {
      await alice.page.evaluate(`(() => {
        const log = document.querySelector("[role=log]");
        log.scrollTo(0, log.scrollHeight);
      })()`);
      assert.equal(await alice.page.getByRole("button", { name: "Picture dot.png" }).count(), 0);
    });
    assert.equal(await large.isVisible(), true);
    await alice.page.keyboard.press("Escape");
    await large.waitFor({ state: "detached" });
  });

  it("the console is signed in to by its code, in the messenger of the member with the developer's phone", async () => {
    await using developer = await visit(browser, service.url);
    await using alice = await visit(browser, service.url);
    await open(alice.page, "alice");
    await developer.page.goto("/console/");
    await developer.page.getByRole("tab", { name: "QR code" }).click();
    const qrImage = await developer.page.getByRole("img", { name: "QR code to sign in" }).getAttribute("src");
    assert.ok(qrImage);
    await alice.page.getByRole("button", { name: "Scan QR code" }).click();
    const dialog = alice.page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Code" }).fill(await textOfQr(developer.page, qrImage));
    // The network fails at a bad moment.
    await alice.page.route(/\/qr\//, (route) => route.abort(), { times: 1 });
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("button", { name: "Try again" }).click();
    await developer.page.getByText("Scanned.").waitFor();
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await developer.page.getByRole("heading", { name: "Applications" }).waitFor();
  });
});

/** Pastes a text into the field, and beside it a file. */
async function paste(page: Page, text: string, fileName: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData("text/plain", ${JSON.stringify(text)});
    data.items.add(new File(["x"], ${JSON.stringify(fileName)}));
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  })()`);
}

/** A page waits up to half a minute between tries, the longer the more have failed while the service started. */
const CONNECTED_WITHIN_MS = 90_000;

/** A picture of one pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What a QR code says, read from its picture. */
async function textOfQr(page: Page, dataUrl: string): Promise<string> {
  const pixels: { data: number[]; width: number; height: number } = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(dataUrl)};
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, image.width, image.height);
    return { data: [...data], width, height };
  })()`);
  const found = jsqr.default(Uint8ClampedArray.from(pixels.data), pixels.width, pixels.height);
  assert.ok(found, "the picture holds a QR code");
  return found.data;
}
