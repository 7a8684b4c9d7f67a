import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { integrator } from "./support/desk-visitor.ts";
import { openConsole, openDesk } from "./support/sign-in.ts";
import { suiteReceiver } from "./support/suite-receiver.ts";
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
/** A picture of one pixel. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PICTURE = { name: "shoe.png", mimeType: "image/png", buffer: DOT };
const TERMS = { name: "terms.txt", mimeType: "text/plain", buffer: Buffer.from("the terms") };

describe("the widget on a site of somebody's", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  const receiver = suiteReceiver();
  let site: Site;
  let farSite: Site;
  before(async () => {
    const body = SHOP + scriptTag(world.service.url, APP);
    const pages = { "/": { body }, "/about": { body } };
    site = await startSite(pages);
    farSite = await startSite(pages, "127.0.0.1");
    const { console } = await consoleAs(world.service.url, world.service.developer);
    const allowedOrigins = [site.origin, farSite.origin];
    await console.updateApp({ params: { appId: APP }, body: { allowedOrigins, anonymousVisitors: true } });
    for (const eventType of ["customer.message.created_v1", "customer.session.changed_v1"]) {
      const body = { callbackUrl: receiver().url("/hook", "127.0.0.1") };
      await console.subscribe({ params: { appId: APP, eventType }, body });
    }
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await farSite[Symbol.asyncDispose]();
  });

  const status = ({ chat }: Shopper, text: RegExp) => chat.getByRole("status").getByText(text).waitFor();
  const texts = async (visitor: Shopper) =>
    (await visitor.chat.getByRole("article").allInnerTexts()).map((text) => text.split("\n").filter(Boolean));

  it("visitor and agent talk, with pictures and files, another agent goes on, and the visitor rates", async (t) => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    await using bob = await world.visit();
    await using carol = await world.visit();
    await openDesk(bob.page, world.service.member("bob"));
    await openDesk(carol.page, world.service.member("carol"));
    await page.goto(site.origin);
    await openChat(visitor);
    await write(visitor, "Where is my order?");
    await status(visitor, /Your message has been left|You are next/);

    const waiting = bob.page.getByRole("list", { name: "Waiting" });
    await waiting.getByRole("button", { name: /Visitor [0-9A-F]{4}/ }).click();
    await bob.page.getByRole("button", { name: "Accept" }).click();
    await status(visitor, /Bob has joined the conversation/);
    await bob.page.getByRole("textbox", { name: "Message" }).fill("It left today.");
    await status(visitor, /Bob is typing/);
    await bob.page.getByRole("button", { name: "Send" }).click();
    await said(visitor, "It left today.").waitFor();
    await chat.getByRole("textbox", { name: "Message" }).pressSequentially("Thanks, here is");
    await bob.page
      .getByText(/is typing|is writing/)
      .first()
      .waitFor();

    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      chat.getByRole("button", { name: "Attach a file" }).click(),
    ]);
    await chooser.setFiles([PICTURE, TERMS]);
    await chat.getByRole("button", { name: "Send" }).click();
    await chat.getByRole("img", { name: "Picture shoe.png" }).waitFor();
    await chat.getByRole("link", { name: /^Download terms\.txt, 9 B/ }).waitFor();
    await bob.page.getByRole("button", { name: "Picture shoe.png" }).waitFor();
    await bob.page.getByRole("link", { name: /Download terms.txt/ }).waitFor();
    await bob.page.locator("input[type=file]").setInputFiles({ ...TERMS, name: "invoice.pdf" });
    await bob.page.getByRole("button", { name: "Send" }).click();
    await chat.getByRole("link", { name: /^Download invoice\.pdf/ }).waitFor();

    await bob.page.getByRole("button", { name: "Transfer" }).click();
    const dialog = bob.page.getByRole("dialog");
    await dialog.getByRole("radio", { name: /Carol/ }).check();
    await dialog.getByRole("textbox", { name: "Note" }).fill("knows about sheds");
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await status(visitor, /Carol has joined the conversation/);
    await carol.page
      .getByRole("list", { name: "Mine" })
      .getByRole("button", { name: /Visitor/ })
      .click();
    await agentWrites(carol.page, "Carol here.");
    await said(visitor, "Carol here.").waitFor();
    await carol.page.getByRole("button", { name: "Close conversation" }).click();
    await carol.page.getByRole("dialog").getByRole("button", { name: "Close conversation" }).click();

    await status(visitor, /This conversation has been closed/);
    const rating = chat.getByRole("group", { name: "Rate this conversation" });
    assert.equal(await rating.getByRole("radio").count(), 5);
    await rating.getByRole("radio").nth(3).check();
    await chat.getByRole("textbox", { name: "Comment (optional)" }).fill("Quick");
    await chat.getByRole("button", { name: "Send rating" }).click();
    await chat.getByText("Thank you for your rating.").waitFor();

    assert.equal(await chat.getByText("knows about sheds").count(), 0, "a note is for agents");
    const { api } = await widgetDesk(world.service, "carol");
    const { items } = await api.listSessions({ params: { appId: APP }, query: { status: "CLOSED" } });
    assert.equal(items[0]?.rating, 4);
    await t.waitFor(
      () => {
        const events = receiver()
          .requests.filter(({ path }) => path === "/hook")
          .map(({ body }) => JSON.parse(String(body)));
        const told = JSON.stringify(events);
        for (const word of ["Where is my order?", "It left today.", "shoe.png", "invoice.pdf", "Carol here."]) {
          assert.ok(told.includes(word), `${word} in ${events.length} events`);
        }
        for (const change of ["created", "assigned", "transferred", "closed", "rated"]) {
          assert.ok(told.includes(`"change":"${change}"`), `${change} in ${events.length} events`);
        }
      },
      { timeout: 20_000, interval: 200 },
    );
  });

  it("what was said is there after a reload and on the next page, and what comes meanwhile is counted on the button", async () => {
    await using visitor = await shopper(world.browser);
    const { page } = visitor;
    const desk = await widgetDesk(world.service, "bob");
    await page.goto(site.origin);
    assert.equal(await page.locator("iframe").count(), 0, "no frame before somebody asks for it");
    await openChat(visitor);
    await write(visitor, "first");
    await status(visitor, /left|next/);
    const params = await desk.accept();
    await visitor.chat.getByRole("textbox", { name: "Message" }).fill("half a sent");
    await page.reload();
    await desk.say(params, "second");
    const button = page.getByRole("button", { name: "Chat with us" });
    await page.getByText("1 unread message", { exact: true }).waitFor({ state: "attached" });
    assert.equal(await page.evaluate("Portico.unread"), 1);
    await button.click();
    await said(visitor, "second").waitFor();
    await page.getByText("1 unread message", { exact: true }).waitFor({ state: "detached" });
    assert.equal(await visitor.chat.getByRole("textbox", { name: "Message" }).inputValue(), "half a sent");
    await page.goto(`${site.origin}/about`);
    await openChat(visitor);
    await said(visitor, "first").waitFor();
    await said(visitor, "second").waitFor();
    assert.equal(await visitor.chat.getByRole("article").count(), 3, "the greeting and the two");
    await desk.close(params);
  });

  it("what has become of the session without a network is told when it is back", async () => {
    await using visitor = await shopper(world.browser);
    const { page, context } = visitor;
    const desk = await widgetDesk(world.service, "bob");
    await page.goto(site.origin);
    await openChat(visitor);
    await write(visitor, "hello");
    await status(visitor, /left|next/);
    await context.setOffline(true);
    await status(visitor, /You are offline/);
    const params = await desk.accept();
    await context.setOffline(false);
    await status(visitor, /Bob has joined/);
    await desk.close(params);
  });

  it("an answer that is older than what the stream has told of the session is not taken", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat, context } = visitor;
    const desk = await widgetDesk(world.service, "bob");
    await page.goto(site.origin);
    await openChat(visitor);
    await write(visitor, "hello");
    await status(visitor, /left|next/);
    const [asked, mayCome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/api/widget/v1/session", async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await mayCome.promise;
      await route.fulfill({ response });
    });
    await context.setOffline(true);
    await status(visitor, /You are offline/);
    await context.setOffline(false);
    await asked.promise;
    const params = await desk.accept();
    await status(visitor, /Bob has joined/);
    const come = page.waitForResponse("**/api/widget/v1/session");
    mayCome.resolve();
    await (await come).finished();
    await page.unrouteAll({ behavior: "wait" });
    // The place in the queue would be asked for again, so it is looked at now.
    for (let frame = 0; frame < 5; frame++) {
      await chat.locator("body").evaluate("new Promise(requestAnimationFrame)");
      assert.match(await chat.getByRole("status").first().innerText(), /Bob has joined/);
    }
    await desk.close(params);
  });

  it("what is written without a network is sent when it is back, once, also after a reload meanwhile", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat, context } = visitor;
    const desk = await widgetDesk(world.service, "bob");
    await page.goto(site.origin);
    await openChat(visitor);
    await write(visitor, "one");
    await status(visitor, /left|next/);
    const params = await desk.accept();
    await status(visitor, /Bob has joined/);
    await context.setOffline(true);
    await status(visitor, /You are offline/);
    await write(visitor, "two");
    await write(visitor, "three");
    await said(visitor, "three")
      .getByText(/Not sent yet/)
      .waitFor();
    await desk.say(params, "are you there?");
    await context.setOffline(false);
    await said(visitor, "are you there?").waitFor();
    await said(visitor, "three")
      .getByText(/Not sent yet/)
      .waitFor({ state: "detached" });
    // The answer to a call is lost, and the page is left before it is sent again: it has arrived nevertheless.
    await page.route("**/api/widget/v1/messages", async (route) => {
      if (route.request().method() === "POST") await route.fetch();
      await route.abort();
    });
    await write(visitor, "four");
    await said(visitor, "four").first().waitFor();
    await page.reload();
    // What the reload has ended can no longer be aborted.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    await openChat(visitor);
    await said(visitor, "four").waitFor();
    await chat.getByText(/Not sent yet|Sending/).waitFor({ state: "detached" });
    const { items } = await desk.api.listMessages({ params });
    assert.deepEqual(items.map(({ content }) => content).sort(), ["are you there?", "four", "one", "three", "two"]);
    const shown = (await texts(visitor)).map((lines) =>
      lines.find((line) => items.some(({ content }) => content === line)),
    );
    assert.deepEqual(
      shown.slice(1),
      items.map(({ content }) => content),
    );
    await desk.close(params);
  });

  it("what the owner sets in the console is what visitors see", async () => {
    await using owner = await world.visit();
    const { page } = owner;
    await openConsole(page, world.service.developer, `/console/apps/${APP}/widget`);
    await page.getByText(`<script src="${world.service.url}/widget.js" data-app-id="${APP}" async></script>`).waitFor();
    await page.getByLabel("Greeting").fill("Welcome to the garden shop.");
    await page.getByLabel("Color").fill("#ffd400");
    await page.getByRole("radio", { name: "Left" }).check();
    await page.getByText("can hardly be seen on a white page").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved").waitFor();
    await using visitor = await shopper(world.browser);
    await visitor.page.goto(site.origin);
    await openChat(visitor);
    await said(visitor, "Welcome to the garden shop.").waitFor();
    const frame = visitor.page.frames().find((each) => each.parentFrame() !== null);
    const color = await frame?.evaluate("getComputedStyle(document.querySelector('h1')).color");
    assert.equal(color, "rgb(16, 19, 24)", "dark text on a light color");
    assert.ok(((await visitor.page.getByRole("button", { name: "Chat with us" }).boundingBox())?.x ?? 999) < 100);
    const { console } = await consoleAs(world.service.url, world.service.developer);
    const body = { widget: { greeting: "", themeColor: "#2456e6", position: "right" as const } };
    await console.updateApp({ params: { appId: APP }, body });
  });

  it("a browser that gives the frame no storage keeps the visitor all the same", async () => {
    await using visitor = await shopper(world.browser);
    await visitor.page.goto(farSite.origin);
    await openChat(visitor);
    await write(visitor, "from far away");
    await status(visitor, /left|next/);
    await visitor.page.reload();
    await openChat(visitor);
    await said(visitor, "from far away").waitFor();
    const desk = await widgetDesk(world.service, "bob");
    await desk.close(await desk.accept());
  });

  it("a site that knows its visitor names them, and after signing out nobody reads on", async () => {
    await using visitor = await shopper(world.browser);
    const { page, chat } = visitor;
    const authenticate = (thirdUserId: string) =>
      integrator(world.service).authVisitor({ thirdUserId, nickname: "Ann" });
    let isSignedIn = true;
    await visitor.context.exposeFunction("tokenOfAnn", async () =>
      isSignedIn ? (await authenticate("c-ann")).visitorToken : null,
    );
    await page.goto(site.origin);
    await page.waitForFunction("window.Portico !== undefined");
    await page.evaluate("void Portico.widget({ token: () => tokenOfAnn(), locale: 'zh-CN', position: 'left' })");
    await page.getByRole("button", { name: "联系客服" }).click();
    await chat.getByRole("textbox", { name: "消息内容" }).fill("I am Ann");
    await chat.getByRole("button", { name: "发送", exact: true }).click();
    await chat.getByRole("log", { name: "消息" }).getByText("I am Ann").waitFor();
    const desk = await widgetDesk(world.service, "bob");
    const params = await desk.accept();
    const { visitor: known } = await desk.api.getSession({ params });
    assert.deepEqual([known.thirdUserId, known.nickname], ["c-ann", "Ann"]);
    const tab = await visitor.context.newPage();
    const inTab = { page: tab, chat: tab.frameLocator("iframe") };
    await tab.goto(site.origin);
    await tab.waitForFunction("window.Portico !== undefined");
    await tab.evaluate("void Portico.widget({ token: () => tokenOfAnn() })");
    await openChat(inTab);
    await said(inTab, "I am Ann").waitFor();
    for (const box of [chat.getByRole("textbox", { name: "消息内容" }), inTab.chat.getByRole("textbox")]) {
      await box.fill("my card is 4111");
    }
    isSignedIn = false;
    await page.evaluate("Portico.signOut()");
    assert.equal(await page.locator("iframe").count(), 0);
    await said(inTab, "I am Ann").waitFor({ state: "detached" });
    await page.evaluate("void Portico.widget({ locale: 'en-US' })");
    await openChat(visitor);
    for (const place of [visitor, inTab]) {
      await said(place, "How can we help?").waitFor();
      assert.equal(await place.chat.getByRole("log", { name: "Messages" }).getAttribute("aria-busy"), "false");
      assert.equal(await place.chat.getByText("I am Ann").count(), 0);
      assert.equal(await place.chat.getByRole("textbox", { name: "Message" }).inputValue(), "");
    }
    await desk.close(params);
  });
});

async function agentWrites(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}
