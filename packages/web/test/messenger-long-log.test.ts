import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, NO_BROWSER } from "./support/browser.ts";
import { DemoService } from "./support/demo-service.ts";
import { numberInView, numbersDrawn, still, topmost, topOf, until } from "./support/log-positions.ts";
import { demoBot, seedMessages } from "./support/seed-messages.ts";
import { signInToMessenger } from "./support/sign-in.ts";
import { visit } from "./support/visit.ts";

const MESSAGES = 100_000;
/** A turn of the wheel, and how far what is read may be from where that takes it. */
const TURN_PX = 300;
const JUMP_PX = 2;
const TURNS = 60;
/**
 * More than ten times what a page keeps. On a busy machine a turn is slow, and pages come all the while: the same turns that
 * lead through some thousand messages on a quiet one lead through 36,000 there.
 */
const FAR = 8_000;
/** From here on what a page keeps grows no more. */
const NEAR = 1_000;
const FAR_TURNS = 40;
const FAR_TURN_PX = 4_000;
const WAY_BACK = 600;
const HEAP_GROWTH_BYTES = 6_000_000;

describe(`a conversation of ${MESSAGES} messages`, { skip: NO_BROWSER }, () => {
  let service: DemoService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([DemoService.start(), launchBrowser()]);
    await seedMessages(service, MESSAGES);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(page: Page) {
    await signInToMessenger(page, service.member("alice"));
    await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: "Demo group" }).click();
    const log = page.getByRole("log", { name: "Messages" });
    await log.getByText(`message ${MESSAGES} `).waitFor();
    await still(page);
    await log.hover();
    return log;
  }

  it("what is read stays where it is while the pages before it come", async (t) => {
    await using alice = await visit(browser, service.url);
    const { page } = alice;
    await open(page);
    let worst = 0;
    for (let turn = 0; turn < TURNS; turn++) {
      const from = await topmost(page);
      assert.ok(from);
      await page.mouse.wheel(0, -TURN_PX);
      await until(
        page,
        `(document.querySelector('[data-message="${from.id}"]')?.getBoundingClientRect().top ?? Infinity) > ${from.top + 1}`,
      );
      await still(page);
      const to = await topOf(page, from.id);
      assert.ok(to !== null, "a message that was in view a turn ago is drawn");
      worst = Math.max(worst, Math.abs(to - from.top - TURN_PX));
    }
    const [oldest = MESSAGES] = await numbersDrawn(page);
    t.diagnostic(`${MESSAGES - oldest} messages up; the farthest jump was ${worst.toFixed(1)} px`);
    assert.ok(MESSAGES - oldest > 200, "several pages were read");
    assert.ok(worst <= JUMP_PX, `a message jumped by ${worst} px`);
  });

  it("memory and what is drawn are bounded, however far one goes, and the way back has no gap", async (t) => {
    await using alice = await visit(browser, service.url);
    const { page, context } = alice;
    const log = await open(page);
    const inspector = await context.newCDPSession(page);
    async function heap(): Promise<number> {
      await inspector.send("HeapProfiler.collectGarbage");
      return (await inspector.send("Runtime.getHeapUsage")).usedSize;
    }
    let [turns, up, mostDrawn] = [0, 0, 0];
    async function goUp(distance: number): Promise<void> {
      for (; turns < FAR_TURNS && up < distance; turns++) {
        await page.mouse.wheel(0, -FAR_TURN_PX);
        await still(page);
        const drawn = await numbersDrawn(page);
        assertConsecutive(drawn);
        mostDrawn = Math.max(mostDrawn, drawn.length);
        up = MESSAGES - (drawn[0] ?? MESSAGES);
      }
    }
    await goUp(NEAR);
    const early = await heap();
    const begun = up;
    await goUp(begun + FAR);
    const late = await heap();
    const [oldest = MESSAGES] = await numbersDrawn(page);
    t.diagnostic(`${up} messages up; at most ${mostDrawn} drawn; heap ${mega(early)} MB, then ${mega(late)} MB`);
    assert.ok(up > begun && up > 2_000, `only ${up} messages up, ${begun} of them before the first look`);
    assert.ok(mostDrawn < 150, `${mostDrawn} messages are drawn`);
    assert.ok(late - early < HEAP_GROWTH_BYTES, `the heap grew by ${mega(late - early)} MB`);

    // What is far below was let go, and comes back page by page.
    let before = await numberInView(page);
    // A turn goes no further than what has been read, so a busy machine needs more of them.
    for (let turn = 0; turn < FAR_TURNS && before <= oldest + WAY_BACK; turn++) {
      await page.mouse.wheel(0, FAR_TURN_PX);
      await still(page);
      assertConsecutive(await numbersDrawn(page));
      const now = await numberInView(page);
      assert.ok(now >= before, `the way back leads down: ${before} was in view, then ${now}`);
      before = now;
    }
    assert.ok(before > oldest + WAY_BACK, `the way back leads over several pages: from ${oldest} to ${before}`);

    // What comes meanwhile is not put below a gap.
    await demoBot(service).say("said meanwhile");
    await page.getByRole("listitem").filter({ hasText: "said meanwhile" }).waitFor();
    assert.equal(await log.getByText("said meanwhile").count(), 0);
    await page.getByRole("button", { name: "1 new message" }).click();
    await log.getByText("said meanwhile").waitFor();
    await still(page);
    assert.equal((await numbersDrawn(page)).at(-1), MESSAGES);
    await page.getByRole("button", { name: /new message/ }).waitFor({ state: "detached" });
  });

  it("keys that jump read on too, and one's own message leads back to the end", async () => {
    await using alice = await visit(browser, service.url);
    const { page } = alice;
    const log = await open(page);
    await log.focus();
    for (let jump = 0; jump < 12; jump++) {
      const [oldest = 0] = await numbersDrawn(page);
      await page.keyboard.press("Home");
      await until(
        page,
        `Number(/message (\\d+) /.exec(document.querySelector("[role=log] article")?.textContent)?.[1]) < ${oldest}`,
      );
      await still(page);
      assertConsecutive(await numbersDrawn(page));
    }
    await page.getByRole("textbox", { name: "Message" }).fill("where was I");
    await page.keyboard.press("Enter");
    await log.getByRole("article").filter({ hasText: "where was I" }).waitFor();
    await still(page);
    const box = await log.getByText("where was I").boundingBox();
    const frame = await log.boundingBox();
    assert.ok(box && frame && box.y > frame.y && box.y < frame.y + frame.height, "one's own message is in view");
  });
});

function assertConsecutive(numbers: readonly number[]): void {
  assert.ok(numbers.length > 0, "messages are drawn");
  const [first = 0] = numbers;
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => first + index),
  );
}

function mega(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
