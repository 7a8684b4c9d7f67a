import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PorticoClient } from "@portico/sdk";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, NO_BROWSER } from "./support/browser.ts";
import { DemoService } from "./support/demo-service.ts";
import { topmost, topOf } from "./support/log-positions.ts";
import { openMessenger } from "./support/sign-in.ts";
import { visit } from "./support/visit.ts";

const MESSAGES = 400;
const AT_ONCE = 16;
/** Messages a second into an open conversation, and for how long. */
const RATE = 50;
const FLOOD_SECONDS = 4;
/** The longest that typing may have to wait. */
const LONGEST_TASK_MS = 100;

describe("a long conversation in the messenger", { skip: NO_BROWSER }, () => {
  let service: DemoService;
  let browser: Browser;
  let send: (text: string) => Promise<unknown>;
  before(async () => {
    [service, browser] = await Promise.all([DemoService.start(), launchBrowser()]);
    const { appId, credentials } = service.app("app_demo_bot");
    const [credential] = credentials;
    assert.ok(credential);
    const { bot } = new PorticoClient({ baseUrl: service.url, appId, ...credential });
    send = (text) =>
      bot.sendMessage({ receiveIdType: "group_id", receiveId: "g_demo", msgType: "text", content: { text } });
    for (let sent = 0; sent < MESSAGES; sent += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(wordsOf(sent + index))));
    }
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(page: Page): Promise<void> {
    await openMessenger(page, service.member("alice"));
    await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: "Demo group" }).click();
    await page.getByRole("article").first().waitFor();
  }

  it("opens at its newest message, and loads upward to its first without a jump", async () => {
    await using alice = await visit(browser, service.url);
    const { page } = alice;
    await open(page);
    const log = page.getByRole("log", { name: "Messages" });
    await log.getByText(`message ${MESSAGES - 1} `).waitFor();
    await log.hover();
    const jumps: number[] = [];
    const beginning = log.getByText("This is the beginning.");
    for (let turns = 0; turns < 200 && !(await beginning.isVisible()); turns++) {
      const before = await topmost(page);
      await page.mouse.wheel(0, -400);
      await page.evaluate("new Promise(requestAnimationFrame)");
      const top = before === null ? null : await topOf(page, before.id);
      if (before !== null && top !== null) jumps.push(Math.abs(top - before.top));
    }
    await beginning.waitFor();
    await log.getByText("message 0 ").waitFor();
    assert.ok(Math.max(...jumps) <= 600, `a turn of the wheel moved a message by ${Math.max(...jumps)} pixels`);
    const drawn = await log.getByRole("article").count();
    assert.ok(drawn < 100, `${drawn} of ${MESSAGES} messages are drawn`);
  });

  it("the end stays in view when what is there grows, as a card does that is drawn late", async () => {
    await using alice = await visit(browser, service.url);
    const { page } = alice;
    await open(page);
    const log = page.getByRole("log", { name: "Messages" });
    await log.getByText(`message ${MESSAGES - 1} `).waitFor();
    await page.evaluate(`document.querySelector("[role=log] article:last-of-type").style.minHeight = "900px"`);
    await page.waitForFunction(`(() => {
      const log = document.querySelector("[role=log]");
      return log.scrollHeight - log.scrollTop - log.clientHeight < 2;
    })()`);
    assert.equal(await page.getByRole("button", { name: "To the newest message" }).count(), 0);
    await log.hover();
    await page.mouse.wheel(0, -300);
    await page.getByRole("button", { name: "To the newest message" }).click();
    await page.getByRole("button", { name: "To the newest message" }).waitFor({ state: "detached" });
  });

  it(`${RATE} messages a second leave typing smooth`, async (t) => {
    await using alice = await visit(browser, service.url);
    const { page } = alice;
    await open(page);
    await page.evaluate(`
      globalThis.tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: "longtask" });
    `);
    const field = page.getByRole("textbox", { name: "Message" });
    let isOver = false;
    const flood = (async () => {
      for (let second = 0; second < FLOOD_SECONDS; second++) {
        const until = performance.now() + 1_000;
        await Promise.all(Array.from({ length: RATE }, (_, index) => send(`flood ${second * RATE + index}`)));
        while (performance.now() < until) await page.evaluate("new Promise((done) => setTimeout(done, 20))");
      }
      isOver = true;
    })();
    while (!isOver) await field.pressSequentially("typing ");
    await flood;
    await page
      .getByRole("log")
      .getByText(`flood ${FLOOD_SECONDS * RATE - 1}`)
      .waitFor();
    const longest = Math.max(0, ...(await page.evaluate<number[]>("tasks")));
    t.diagnostic(`the longest task took ${Math.round(longest)} ms`);
    assert.match(await field.inputValue(), /^(?:typing )+$/);
    if (process.env.PORTICO_TEST_TIMES === "1") assert.ok(longest <= LONGEST_TASK_MS);
  });
});

/** Some are longer than others, so that their heights cannot be guessed. */
function wordsOf(index: number): string {
  return `message ${index} ${"and so on ".repeat((index * 7) % 40)}`;
}
