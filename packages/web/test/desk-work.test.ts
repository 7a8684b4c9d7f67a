import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../server/test/support/webhooks.ts";
import { deskAgent } from "../screenshots/seed-desk.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { deskVisitor, integrator } from "./support/desk-visitor.ts";
import { openDesk } from "./support/sign-in.ts";
import type { Visit } from "./support/visit.ts";

const APP = "app_demo_service";
/** Words; more than anybody types in a minute. */
const MOST_TYPED = 1_000;

describe("an agent at work", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  let bob: Visit;
  before(async () => {
    bob = await world.visit();
    await openDesk(bob.page, world.service.member("bob"));
  });
  after(() => bob?.[Symbol.asyncDispose]());

  const item = (page: Page, list: "Waiting" | "Mine", visitor: string) =>
    page.getByRole("list", { name: list }).getByRole("button", { name: visitor });
  const said = (page: Page, text: string) =>
    page.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: text });
  const message = (page: Page) => page.getByRole("textbox", { name: "Message" });

  /** Somebody who has said something, and whom Bob has accepted. */
  async function accepted(nickname: string) {
    const visitor = await deskVisitor(world.service, `c-${nickname}`, { nickname });
    const { sessionId } = await visitor.say(`I am ${nickname}`);
    const agent = await deskAgent(world.service, "bob");
    await agent.acceptSession({ params: { appId: APP, sessionId: String(sessionId) } });
    await item(bob.page, "Mine", nickname).click();
    await said(bob.page, `I am ${nickname}`).waitFor();
    return { ...visitor, sessionId };
  }

  it("gives a conversation to another agent with a note, who sees both, and the visitor only who answers", async () => {
    const { page } = bob;
    const ann = await accepted("Ann");
    await using carol = await world.visit();
    await openDesk(carol.page, world.service.member("carol"));
    await page.getByRole("button", { name: "Transfer" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Carol" }).click();
    await dialog.getByRole("textbox", { name: "Note" }).fill("She wants her money back.");
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await item(page, "Mine", "Ann").waitFor({ state: "detached" });
    await page.getByText("Carol has this conversation.").waitFor();
    await carol.page.getByRole("alert").filter({ hasText: "gave you a conversation" }).waitFor();
    await item(carol.page, "Mine", "Ann").click();
    await said(carol.page, "She wants her money back.").waitFor();
    await message(carol.page).fill("I am Carol, and refund you.");
    await message(carol.page).press("Enter");
    await said(carol.page, "and refund you").waitFor();
    const { items } = await ann.api.listMessages();
    assert.deepEqual(
      items.map(({ content }) => content),
      ["I am Ann", "I am Carol, and refund you."],
    );
  });

  it("writes notes that no visitor gets, also when the fields are changed in the middle", async () => {
    const { page } = bob;
    const dan = await accepted("Dan");
    await message(page).fill("half an answer");
    await page.getByRole("button", { name: "Internal note" }).click();
    const note = page.getByRole("textbox", { name: "Internal note" });
    assert.equal(await note.inputValue(), "");
    assert.equal(await page.getByRole("button", { name: "Attach a file" }).count(), 0);
    await note.fill("He is lying.");
    await page.getByRole("button", { name: "Reply", exact: true }).click();
    assert.equal(await message(page).inputValue(), "half an answer");
    await page.keyboard.press("Alt+n");
    assert.equal(await note.inputValue(), "He is lying.");
    // The answer is lost; the second try is the same note.
    await page.route("**/notes", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await note.press("Enter");
    await page.getByRole("alert").filter({ hasText: "could not be reached" }).waitFor();
    await page.unrouteAll();
    await note.press("Enter");
    await said(page, "He is lying.").waitFor();
    assert.equal(await said(page, "He is lying.").count(), 1);
    assert.equal(await note.inputValue(), "");
    assert.equal((await dan.api.listMessages()).items.length, 1);
  });

  it("a note that another visitor interrupts stays a note, by the keyboard", async () => {
    const { page } = bob;
    const ida = await accepted("Ida");
    await page.keyboard.press("Alt+n");
    const note = page.getByRole("textbox", { name: "Internal note" });
    await note.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("She has lied ");
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("heading", { name: "Ida", level: 1 }).waitFor({ state: "detached" });
    await page.locator("form textarea:focus").waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("heading", { name: "Ida", level: 1 }).waitFor();
    await note.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type("twice before");
    await page.keyboard.press("Enter");
    await said(page, "She has lied twice before").waitFor();
    assert.equal((await ida.api.listMessages()).items.length, 1);
    await page.getByRole("button", { name: "Reply", exact: true }).click();
  });

  it("sees what somebody who waits goes on to say, as it is said", async () => {
    const { page } = bob;
    const jo = await deskVisitor(world.service, "c-jo", { nickname: "Jo" });
    await jo.say("Is anybody there?");
    await item(page, "Waiting", "Jo").click();
    await said(page, "Is anybody there?").waitFor();
    await jo.say("I am in a hurry");
    await said(page, "I am in a hurry").waitFor();
    await page.getByRole("list", { name: "Waiting" }).getByText("I am in a hurry").waitFor();
    // By the keyboard, and pressed again by a network that repeats it: the second call is refused, and says nothing new.
    await page.route("**/accept", async (route) => {
      await route.fetch();
      await route.continue();
    });
    await page.keyboard.press("Alt+a");
    await message(page).waitFor();
    await page.unrouteAll({ behavior: "wait" });
    assert.equal(await page.getByRole("alert").count(), 0);
    await jo.say("Thank you");
    await said(page, "Thank you").waitFor();
    assert.equal(await said(page, "I am in a hurry").count(), 1);
  });

  it("is told when a conversation was closed before it could be accepted, and by no wrong words", async () => {
    const { page } = bob;
    const kim = await deskVisitor(world.service, "c-kim", { nickname: "Kim" });
    const { sessionId } = await kim.say("Never mind");
    await item(page, "Waiting", "Kim").click();
    await said(page, "Never mind").waitFor();
    await page.route("**/accept", async (route) => {
      await integrator(world.service).closeSession({ sessionId });
      await route.continue();
    });
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("alert").filter({ hasText: "The conversation was closed" }).waitFor();
    await page.unrouteAll({ behavior: "wait" });
    assert.equal(await page.getByText("was faster").count(), 0);
    // A conversation in no list, which is asked for again where the service fails.
    await page.route("**/sessions/*", (route) => route.fulfill({ status: 502, body: "" }));
    await page.reload();
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor();
    assert.equal(await page.getByText("There is no such conversation").count(), 0);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await said(page, "Never mind").waitFor();
  });

  it("keeps a text that is too long until it is shorter", async () => {
    const { page } = bob;
    const lea = await accepted("Lea");
    await message(page).fill(`${"x".repeat(9_999)}yz`);
    await page.getByText("1 character too many.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Send" }).isDisabled(), true);
    await message(page).press("Enter");
    await message(page).press("End");
    await message(page).press("Backspace");
    await page.getByText("1 character too many.").waitFor({ state: "detached" });
    await message(page).press("Enter");
    await said(page, "xy").waitFor();
    // It stands there before the service has it.
    await until(async () => (await lea.api.listMessages()).items.length === 2, "it is sent");
    assert.deepEqual(
      (await lea.api.listMessages()).items.map(({ content }) => String(content).length),
      [8, 10_000],
    );
  });

  it("finds canned replies by a slash, filled in, and writes new ones", async () => {
    const { page } = bob;
    await accepted("Eve");
    await page.getByRole("button", { name: "Canned replies" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "New reply" }).click();
    await dialog.getByRole("textbox", { name: "Shortcut" }).fill("hello");
    await dialog.getByRole("textbox", { name: "Text" }).fill("Hello {{visitor.nickname}}, I am {{agent.name}}.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("/hello").waitFor();
    await page.keyboard.press("Escape");
    await message(page).pressSequentially("/he");
    await page.getByRole("listbox").getByRole("option", { name: "/hello" }).waitFor();
    await message(page).press("Enter");
    assert.equal(await message(page).inputValue(), "Hello Eve, I am Bob.");
    await message(page).press("Enter");
    await said(page, "Hello Eve, I am Bob.").waitFor();
  });

  it("sees that the visitor types and has read, and lets them know the same", async () => {
    const { page } = bob;
    const fay = await accepted("Fay");
    const heard = new Set<string>();
    const isLive = Promise.withResolvers<void>();
    const widget = fay.watch(
      (frame) => heard.add(frame.type),
      (state) => state === "live" && isLive.resolve(),
    );
    try {
      await isLive.promise;
      await message(page).fill("Coming");
      await message(page).press("Enter");
      await said(page, "Coming").waitFor();
      widget.send({ type: "typing" });
      widget.send({ type: "read", seq: 2 } as { type: string });
      await page.getByText("Fay is typing", { exact: true }).waitFor();
      await said(page, "Coming").getByText("Read", { exact: true }).waitFor();
      // The visitor is told now and then only.
      for (let typed = 0; typed < MOST_TYPED && !(heard.has("typing") && heard.has("read")); typed++) {
        await message(page).pressSequentially("and so on ");
      }
      assert.deepEqual([heard.has("typing"), heard.has("read")], [true, true]);
    } finally {
      widget.close();
    }
  });

  it("works without the mouse: from one conversation to the next, accept, write, close", async () => {
    const { page } = bob;
    const gil = await deskVisitor(world.service, "c-gil", { nickname: "Gil" });
    await gil.say("Hello?");
    await item(page, "Waiting", "Gil").waitFor();
    await page.keyboard.press("Alt+o");
    await page.getByRole("heading", { name: "Gil", level: 1 }).waitFor();
    await page.keyboard.press("Alt+a");
    await message(page).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Hello Gil");
    await page.keyboard.press("Enter");
    await said(page, "Hello Gil").waitFor();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("heading", { name: "Fay", level: 1 }).waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("heading", { name: "Gil", level: 1 }).waitFor();
    await page.keyboard.press("Alt+w");
    await page.getByRole("dialog").getByRole("button", { name: "Close conversation" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^Closed by Bob/).waitFor();
    await page.getByRole("log").focus();
    await page.keyboard.press("?");
    const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await shortcuts.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await shortcuts.waitFor({ state: "detached" });
    await page.getByRole("log").focus();
    await page.keyboard.press("?");
    assert.equal(await shortcuts.count(), 0);
    await page.keyboard.press("Alt+h");
    await shortcuts.getByRole("checkbox").check();
    await page.keyboard.press("Escape");
  });

  it("finds visitors and messages, and reads what was said and how it was rated before", async () => {
    const { page } = bob;
    const hal = await accepted("Hal");
    await integrator(world.service).closeSession({ sessionId: hal.sessionId });
    await page.getByRole("alert").filter({ hasText: "A conversation was closed" }).getByText("Hal").waitFor();
    await page.getByRole("button", { name: "Got it" }).click();
    await hal.api.rateSession({ body: { rating: 4, comment: "Friendly" } });
    await hal.say("It is about the zebra again");
    await page.getByRole("searchbox").fill("ZEBRA");
    await page.getByRole("list", { name: "Messages" }).getByRole("button", { name: "Hal" }).click();
    const visitor = page.getByRole("region", { name: "Visitor" });
    await visitor.getByRole("img", { name: "Rated 4 of 5" }).waitFor();
    await visitor.getByText("Friendly").waitFor();
    await page.getByText("Hal is waiting for an answer.").waitFor();
    await visitor.getByRole("button").last().click();
    await page.getByText(/^Closed /).waitFor();
    assert.equal(await said(page, "zebra").count(), 0);
    await page.getByRole("searchbox").fill("c-Hal");
    await page.getByRole("list", { name: "Visitors" }).getByRole("button", { name: "Hal" }).click();
    await said(page, "zebra").waitFor();
    await page.getByRole("searchbox").fill("");
  });

  it("opens a message that was found where it was said, and leads back to the newest", async () => {
    const { page } = bob;
    const max = await accepted("Max");
    await max.say("the giraffe has arrived");
    for (let number = 3; number <= 120; number++) await max.say(`message ${number} of many`);
    await page.reload();
    await said(page, "message 120 of many").waitFor();
    await page.getByRole("searchbox").fill("giraffe");
    await page.getByRole("list", { name: "Messages" }).getByRole("button", { name: "Max" }).click();
    const found = page.locator("article[data-shown]");
    await found.filter({ hasText: "the giraffe has arrived" }).waitFor();
    assert.ok(await isInView(page, "the giraffe has arrived"));
    assert.equal(await said(page, "message 120 of many").count(), 0);
    await page.getByRole("button", { name: "To the newest message" }).click();
    await said(page, "message 120 of many").waitFor();
    assert.equal(await found.count(), 0);
    await max.say("and the zebra");
    await said(page, "and the zebra").waitFor();
    await page.getByRole("searchbox").fill("");
  });

  it("shows in the dialog how the other agents are now, also while it is open", async () => {
    const { page } = bob;
    await accepted("Nia");
    await using carol = await world.visit();
    await openDesk(carol.page, world.service.member("carol"));
    const chosen = (isOn: boolean) => carol.page.getByRole("switch", { name: "Online", checked: isOn });
    await page.getByRole("button", { name: "Transfer" }).click();
    const dialog = page.getByRole("dialog");
    const carols = (state: string) => dialog.locator("label").filter({ hasText: `Carol${state}` });
    await carols("Offline").waitFor();
    await chosen(false).click();
    await carols("Online").waitFor();
    await chosen(true).click();
    await carols("Offline").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("asks before what is written is lost, and before conversations are left behind", async () => {
    const { page } = bob;
    await accepted("Oda");
    const online = page.getByRole("switch", { name: "Online" });
    await online.click();
    await page.getByRole("switch", { name: "Online", checked: true }).waitFor();
    await message(page).pressSequentially("half an answer");
    const asked = page.waitForEvent("dialog");
    // The page stays, so nobody may wait for it to load.
    await page.evaluate("void setTimeout(() => location.reload())");
    const dialog = await asked;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    assert.equal(await message(page).inputValue(), "half an answer");
    const signOut = page.getByRole("dialog", { name: "Sign out of the desk" });
    const ask = async () => {
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await signOut.getByText("not sent is lost").waitFor();
    };
    await ask();
    await signOut.getByText(/^You still have/).waitFor();
    await signOut.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await message(page).inputValue(), "half an answer");
    await ask();
    await signOut.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Organisation").waitFor();
    const { items } = await (await deskAgent(world.service, "bob")).listApps();
    assert.deepEqual(
      items.map(({ status }) => status),
      ["OFFLINE"],
    );
    await openDesk(page, world.service.member("bob"));
  });

  it("is not harmed by a visitor's name, texts, files and extra fields", async () => {
    const { page } = bob;
    const script = "<img src=x onerror=document.title='owned'>";
    const mallory = await deskVisitor(world.service, "c-mallory", {
      nickname: `${script}\u202egpj.exe`,
      extra: { [script]: script, __proto__x: { constructor: script }, link: "javascript:document.title='owned'" },
    });
    const { sessionId } = await mallory.say(`${script} javascript:alert(1) http://[::1 https://good.example.com/x`);
    await mallory.send("file", new Blob([script], { type: "text/html" }), "\u202etxt.html");
    await mallory.send("image", new Blob([script], { type: "image/svg+xml" }), "x.svg").catch(() => {});
    const agent = await deskAgent(world.service, "bob");
    await agent.acceptSession({ params: { appId: APP, sessionId: String(sessionId) } });
    await item(page, "Mine", "gpj.exe").click();
    await said(page, "javascript:alert(1)").waitFor();
    const region = page.getByRole("region", { name: "Visitor" });
    await region.getByText("javascript:document.title").waitFor();
    const links = await page.getByRole("log").getByRole("link").evaluateAll(HREFS);
    assert.ok(links.length >= 2, `${links}`);
    assert.ok(
      links.every((href) => /^https?:/.test(String(href))),
      `${links}`,
    );
    assert.equal(await region.getByRole("link").count(), 0);
    assert.doesNotMatch(await page.title(), /owned/);
    assert.doesNotMatch((await page.getByRole("heading", { level: 1 }).textContent()) ?? "", /\u202e/);
    assert.doesNotMatch((await page.getByRole("link", { name: /Download/ }).textContent()) ?? "", /\u202e/);
    await bob.assertRulesKept();
  });
});

/** Whether an article of the log is wholly in view. */
async function isInView(page: Page, text: string): Promise<boolean> {
  const [log, article] = await Promise.all([
    page.getByRole("log").boundingBox(),
    page.getByRole("article").filter({ hasText: text }).boundingBox(),
  ]);
  if (log === null || article === null) return false;
  return article.y >= log.y && article.y + article.height <= log.y + log.height;
}

/** Runs in the page. */
const HREFS = (all: { href?: string }[]) => all.map(({ href }) => href);
