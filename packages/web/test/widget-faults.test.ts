import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Frame, Page } from "playwright-core";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { integrator } from "./support/desk-visitor.ts";
import { widgetDesk } from "./support/widget-desk.ts";
import {
  openChat,
  SHOP,
  type Shopper,
  type Site,
  said,
  scriptTag,
  shopper,
  startSite,
  write,
} from "./support/widget-site.ts";

const APP = "app_demo_service";
const WIDGET = "**/api/widget/v1";
/** A name that shows itself as a picture where the characters of direction are obeyed, and as markup where it is parsed. */
const HOSTILE_NAME = "<img src=x onerror=alert(1)>\u202egnp.exe";

describe("the widget when something goes wrong", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  let site: Site;
  let desk: Awaited<ReturnType<typeof widgetDesk>>;
  before(async () => {
    const body = SHOP + scriptTag(world.service.url, APP);
    site = await startSite({ "/": { body }, "/plain": { body: SHOP } });
    const { console } = await consoleAs(world.service.url, world.service.developer);
    const change = { allowedOrigins: [site.origin], anonymousVisitors: true };
    await console.updateApp({ params: { appId: APP }, body: change });
    desk = await widgetDesk(world.service, "bob");
  });
  after(() => site[Symbol.asyncDispose]());

  /** Somebody who has written a message, and been answered. */
  async function inConversation(visitor: Shopper): Promise<{ appId: string; sessionId: string }> {
    await visitor.page.goto(site.origin);
    await openChat(visitor);
    await write(visitor, "good day");
    await sent(visitor, "good day").waitFor();
    const params = await desk.accept();
    await desk.say(params, "at your service");
    await said(visitor, "at your service").waitFor();
    return params;
  }

  const sent = (visitor: Shopper, text: string) => said(visitor, text).getByText(/\d\d:\d\d/);
  const frameOf = (page: Page): Frame => {
    const frame = page.frames().find((each) => each.parentFrame() !== null);
    assert.ok(frame);
    return frame;
  };
  const name = (visitor: Pick<Shopper, "page">, thirdUserId: string) =>
    visitor.page.evaluate(`void Portico.widget({ token: () => tokenOf("${thirdUserId}") })`);
  /** Lets the site's pages have tokens of whom it names, as its server would give them. */
  async function givesTokens({ context }: Shopper, answer = (thirdUserId: string) => tokenOf(thirdUserId)) {
    await context.exposeFunction("tokenOf", answer);
  }
  const tokenOf = async (thirdUserId: string) =>
    (await integrator(world.service).authVisitor({ thirdUserId, nickname: HOSTILE_NAME })).visitorToken;

  it("a file is uploaded once, however often its message has to be tried", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    const params = await inConversation(visitor);
    let [uploads, refusals] = [0, 2];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/files")) uploads++;
    });
    await page.route(`${WIDGET}/messages`, async (route) => {
      if (route.request().method() !== "POST" || refusals-- <= 0) return await route.continue();
      await route.fulfill({ status: 503, json: { code: "500003", message: "later", value: null } });
    });
    await chat.locator("input[type=file]").setInputFiles({
      name: "receipt.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("two shirts"),
    });
    await chat.getByRole("button", { name: "Send" }).click();
    await chat.getByRole("link", { name: /^Download receipt\.txt/ }).waitFor();
    assert.deepEqual([uploads, refusals], [1, -1]);
    await page.unrouteAll();
    await desk.close(params);
  });

  it("many messages at once are drawn together, and told to the page around once", async () => {
    await using visitor = await shopper(world.browser);
    const { page, context } = visitor;
    await context.addInitScript(COUNTS);
    const params = await inConversation(visitor);
    await context.setOffline(true);
    for (let count = 1; count <= 120; count++) await desk.say(params, `news ${count}`);
    const before = await frameOf(page).evaluate<number>("counted.formats");
    await context.setOffline(false);
    await said(visitor, "news 120").waitFor();
    assert.equal(await visitor.chat.getByRole("article").count(), 123);
    assert.equal(await frameOf(page).evaluate("counted.formats"), before, "no format is made anew");
    assert.ok((await page.evaluate<number>("counted.kept")) <= 1, "the page's storage is not written for each");
    await desk.close(params);
  });

  it("a file that could not be sent is sent after a reload, and nothing is doubled", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    const params = await inConversation(visitor);
    await page.route(`${WIDGET}/files`, (route) => route.abort());
    const file = { name: "terms.txt", mimeType: "text/plain", buffer: Buffer.from("the terms") };
    await chat.locator("input[type=file]").setInputFiles([file, { ...file, name: "more.txt" }]);
    await write(visitor, "see these");
    await said(visitor, "terms.txt").getByText("It is sent as soon as the service can be reached.").waitFor();
    await said(visitor, "more.txt").getByText("It is sent as soon as the service can be reached.").waitFor();
    await page.reload();
    await page.unrouteAll();
    await openChat(visitor);
    for (const name of ["terms.txt", "more.txt"]) await chat.getByRole("link", { name: `Download ${name}` }).waitFor();
    await sent(visitor, "see these").waitFor();
    assert.deepEqual(await desk.texts(params), ["good day", "at your service", "terms.txt", "more.txt", "see these"]);
    assert.equal(await frameOf(page).evaluate(FILES_KEPT), 0);
    await desk.close(params);
  });

  it("files left out are told of one by one, and files may be dropped anywhere", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    await page.goto(site.origin);
    await openChat(visitor);
    await frameOf(page).evaluate(DROPS);
    const alert = chat.getByRole("alert");
    await alert.getByText("big-1.bin is larger than 20 MB.").waitFor();
    await alert.getByText("big-2.bin is larger than 20 MB.").waitFor();
    await alert.getByText("nothing.txt is empty.").waitFor();
    await chat.getByRole("button", { name: "Remove good.txt" }).waitFor();
  });

  it("a visitor's hostile name and file, and an agent's, are shown as what they are", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    await givesTokens(visitor);
    await page.goto(site.origin);
    await page.waitForFunction("window.Portico !== undefined");
    await name(visitor, "c-hostile");
    await openChat(visitor);
    const html = { name: HOSTILE_NAME, mimeType: "text/html", buffer: Buffer.from("<script>parent.hit = 1</script>") };
    await chat.locator("input[type=file]").setInputFiles(html);
    await write(visitor, "<b>bold</b> javascript:alert(1) https://shop.example/<script>");
    await said(visitor, "<b>bold</b>").waitFor();
    const link = chat.getByRole("link", { name: /^Download/ });
    await link.waitFor();
    assert.doesNotMatch((await link.getAttribute("download")) ?? "", /\u202e/);
    assert.match((await link.getAttribute("href")) ?? "", new RegExp(`^${world.service.url}/`));
    const [chosen] = await Promise.all([page.waitForEvent("download"), link.click()]);
    assert.ok(chosen.suggestedFilename().endsWith("gnp.exe"));
    assert.equal(await chat.locator("b, script[src=x], img[src=x]").count(), 0);
    const links = await chat.getByRole("log").getByRole("link").all();
    const addresses = await Promise.all(links.map((each) => each.getAttribute("href")));
    assert.deepEqual(addresses.map((href) => URL.parse(href ?? "")?.protocol).sort(), ["http:", "https:"]);
    const { sessionId } = await desk.accept();
    await desk.close({ appId: APP, sessionId });
  });

  it("the site's token function fails once when the token has ended, and the conversation goes on", async (t) => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    let isFailing = false;
    await givesTokens(visitor, async (thirdUserId) => {
      if (!isFailing) return await tokenOf(thirdUserId);
      isFailing = false;
      throw new Error("the network comes up");
    });
    await page.goto(site.origin);
    await page.waitForFunction("window.Portico !== undefined");
    await name(visitor, "c-expiry");
    await openChat(visitor);
    await write(visitor, "before");
    await sent(visitor, "before").waitFor();
    const params = await desk.accept();
    isFailing = true;
    // Ends all tokens of the visitor, as their time does.
    const token = await tokenOf("c-expiry");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const url = `${world.service.url}/api/widget/v1/auth/logout`;
    assert.equal((await fetch(url, { method: "POST", headers, body: "{}" })).status, 200);
    await t.waitFor(() => assert.equal(isFailing, false), { timeout: 20_000 });
    await desk.say(params, "are you there?");
    await said(visitor, "are you there?").waitFor();
    await write(visitor, "after");
    await sent(visitor, "after").waitFor();
    assert.equal(await chat.getByRole("alert").count(), 0);
    await desk.close(params);
  });

  it("who signs out in one tab without the service leaves nothing to read in the other", async () => {
    await using visitor = await shopper(world.browser);
    const { context, page } = visitor;
    const params = await inConversation(visitor);
    const tab = await context.newPage();
    const other = { page: tab, chat: tab.frameLocator("iframe") };
    await tab.goto(site.origin);
    await openChat(other);
    await said(other, "good day").waitFor();
    await other.chat.getByRole("textbox", { name: "Message" }).fill("my card is 4111");
    await context.route(`${WIDGET}/**`, (route) => route.abort());
    await page.evaluate("Portico.signOut()");
    await said(other, "good day").waitFor({ state: "detached" });
    assert.equal(await other.chat.getByRole("textbox", { name: "Message" }).inputValue(), "");
    await context.unrouteAll();
    await openChat(visitor);
    await said(visitor, "How can we help?").waitFor();
    assert.equal(await said(visitor, "good day").count(), 0);
    await desk.close(params);
  });

  it("a visitor whom the site names while the last one is signed out is not forgotten with them", async () => {
    await using visitor = await shopper(world.browser);
    const { page } = visitor;
    await givesTokens(visitor);
    await page.goto(site.origin);
    await page.waitForFunction("window.Portico !== undefined");
    await name(visitor, "c-first");
    await openChat(visitor);
    await write(visitor, "as the first");
    await sent(visitor, "as the first").waitFor();
    const first = await desk.accept();
    await page.evaluate("void Portico.signOut(), void Portico.widget({ token: () => tokenOf('c-second') })");
    await openChat(visitor);
    await write(visitor, "as the second");
    await sent(visitor, "as the second").waitFor();
    assert.equal(await said(visitor, "as the first").count(), 0);
    const second = await desk.accept();
    const { visitor: known } = await desk.api.getSession({ params: second });
    assert.equal(known.thirdUserId, "c-second");
    await desk.close(first);
    await desk.close(second);
  });

  it("a page of the site that puts another body in place has the widget again, as it was", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    const params = await inConversation(visitor);
    await page.evaluate(REPLACES_BODY);
    await said(visitor, "at your service").waitFor();
    await write(visitor, "still here");
    await sent(visitor, "still here").waitFor();
    await chat.getByRole("button", { name: "Close chat" }).click();
    await page.evaluate("document.body.innerHTML = '<h1>Swapped</h1>'");
    await page.getByRole("button", { name: "Chat with us" }).click();
    await said(visitor, "still here").waitFor();
    await desk.close(params);
  });

  it("on a phone, where the service fails while one writes, everything is said, kept and sent in the end", async () => {
    await using visitor = await shopper(world.browser, { viewport: { width: 390, height: 844 }, hasTouch: true });
    const { page, chat } = visitor;
    const failing = { status: 503, json: { code: "500003", message: "later", value: null } };
    await page.goto(site.origin);
    await page.route(`${WIDGET}/visitors`, (route) => route.fulfill(failing));
    await openChat(visitor);
    await write(visitor, "is it open?");
    await said(visitor, "is it open?").getByText("Not sent yet.").waitFor();
    await page.unrouteAll();
    await page.route(`${WIDGET}/session`, (route) => route.fulfill(failing));
    await said(visitor, "is it open?").getByRole("button", { name: "Retry" }).tap();
    await page.waitForResponse((response) => response.url().endsWith("/session") && response.status() === 503);
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("button", { name: "Chat with us" }).tap();
    await sent(visitor, "is it open?").waitFor();
    assert.equal(await said(visitor, "is it open?").count(), 1);
    await chat.getByRole("button", { name: "Close chat" }).tap();
    await page.locator("iframe").waitFor({ state: "hidden" });
    await desk.close(await desk.accept());
  });

  it("what is refused for good is said so, and not asked for again by itself", async (t) => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    await page.clock.install();
    await page.goto(site.origin);
    await page.clock.runFor(3_000);
    let asked = 0;
    await page.route(`${WIDGET}/apps/**`, (route) => {
      asked++;
      return route.fulfill({ status: 403, json: { code: "400008", message: "no", reqNo: "r-1", value: null } });
    });
    const refused = page.waitForResponse((response) => response.status() === 403);
    await page.getByRole("button", { name: "Chat with us" }).click();
    await refused;
    await t.waitFor(
      async () => {
        await page.clock.runFor(200);
        assert.equal(await chat.getByRole("alert").getByText("not available on this page").count(), 1);
      },
      { timeout: 20_000 },
    );
    const before = asked;
    await page.clock.runFor(600_000);
    assert.equal(asked, before);
  });
});

/** Runs in each page and frame before anything else: counts the formats that are made, and what the widget keeps. */
const COUNTS = `
  window.counted = { formats: 0, kept: 0 };
  for (const name of ["DateTimeFormat", "NumberFormat"]) {
    Intl[name] = new Proxy(Intl[name], { construct: (of, args) => (counted.formats++, Reflect.construct(of, args)) });
  }
  const setItem = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith("portico-widget:")) counted.kept++;
    return setItem.call(this, key, value);
  };
`;

/** How many files the frame keeps. */
const FILES_KEPT = `new Promise((told, failed) => {
  const opening = indexedDB.open("portico-files");
  opening.onerror = () => failed(opening.error);
  opening.onsuccess = () => {
    const counting = opening.result.transaction("files").objectStore("files").count();
    counting.onsuccess = () => told(counting.result);
  };
})`;

/** Runs in the frame: drops files on the log. */
const DROPS = `(() => {
  const dataTransfer = new DataTransfer();
  const big = new Uint8Array(21 * 1024 * 1024);
  for (const file of [
    new File([big], "big-1.bin"), new File(["x"], "good.txt"), new File([], "nothing.txt"), new File([big], "big-2.bin"),
  ]) dataTransfer.items.add(file);
  const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector("[role=log]").dispatchEvent(event);
  if (!event.defaultPrevented) throw new Error("the browser would open the file");
})()`;

/** Runs in the page, as scripts do that load pages by themselves. */
const REPLACES_BODY = `(() => {
  const body = document.createElement("body");
  body.innerHTML = "<h1>Another page</h1>";
  document.body.replaceWith(body);
})()`;
