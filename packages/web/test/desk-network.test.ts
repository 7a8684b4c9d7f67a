import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { deskAgent } from "../screenshots/seed-desk.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { deskVisitor, integrator } from "./support/desk-visitor.ts";
import { numbersDrawn, still } from "./support/log-positions.ts";
import { openDesk } from "./support/sign-in.ts";

const APP = "app_demo_service";
const CONVERSATIONS = 30;
const ROUNDS = 10;
/** The mark of an interface that answers at once, twice over: the machine of the tests is slow. */
const LONGEST_TASK_MS = 100;

describe("the desk between networks", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  const mine = (page: Page, visitor: string) =>
    page.getByRole("list", { name: "Mine" }).getByRole("button", { name: visitor });
  const offline = (page: Page) => page.getByRole("status").filter({ hasText: "You are offline" });

  /** As the title says. */
  const unread = async (page: Page) => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);

  async function accepted(nickname: string) {
    const visitor = await deskVisitor(world.service, `c-${nickname}`, { nickname });
    const { sessionId } = await visitor.say("message 1 ");
    const agent = await deskAgent(world.service, "bob");
    await agent.acceptSession({ params: { appId: APP, sessionId: String(sessionId) } });
    return { ...visitor, sessionId };
  }

  it("nothing is lost or doubled by a network that goes and comes, and the agent is told what became of their conversations", async () => {
    const customer = integrator(world.service);
    const [ann, ben, cleo, dora] = [
      await accepted("Ann"),
      await accepted("Ben"),
      await accepted("Cleo"),
      await accepted("Dora"),
    ];
    await using bob = await world.visit();
    const { page, context } = bob;
    await openDesk(page, world.service.member("bob"));
    await mine(page, "Ann").click();
    await page.getByRole("log").getByText("message 1 ").waitFor();
    await context.setOffline(true);
    await offline(page).waitFor();
    for (let number = 2; number <= 60; number++) await ann.say(`message ${number} `);
    await page.getByRole("textbox", { name: "Message" }).fill("written in the tunnel");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Retry" }).waitFor();
    await customer.assignAgent({ sessionId: ben.sessionId, agentId: "carol" });
    await customer.closeSession({ sessionId: cleo.sessionId });
    await context.setOffline(false);
    await offline(page).waitFor({ state: "detached", timeout: 60_000 });
    await page.getByRole("log").getByText("message 60 ").waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Retry" }).waitFor({ state: "detached" });
    await still(page);
    const drawn = await numbersDrawn(page);
    const [first = 0] = drawn;
    assert.deepEqual(
      drawn,
      drawn.map((_, index) => first + index),
    );
    assert.equal(await page.getByRole("article").filter({ hasText: "written in the tunnel" }).count(), 1);
    const written = (await ann.api.listMessages({ query: { afterSeq: 60 } })).items;
    assert.deepEqual(
      written.map(({ content }) => content),
      ["written in the tunnel"],
    );
    await page.getByRole("alert").filter({ hasText: "given to another agent" }).getByText("Ben").waitFor();
    await page.getByRole("alert").filter({ hasText: "was closed" }).getByText("Cleo").waitFor();
    assert.equal(await mine(page, "Dora").count(), 1);
    await dora.say("still here");
    await page.getByRole("listitem").filter({ hasText: "still here" }).waitFor();
  });

  it("conversations that went back to the queue while the agent was gone are named", async () => {
    const eve = await accepted("Eve");
    await using bob = await world.visit();
    const { page, context } = bob;
    await openDesk(page, world.service.member("bob"));
    await mine(page, "Eve").waitFor();
    await context.setOffline(true);
    await offline(page).waitFor();
    // As if the minute had passed: the owner takes the agent out and in again, and the sessions go back.
    await dismissAndReturn("bob");
    await context.setOffline(false);
    const told = page.getByRole("alert").filter({ hasText: "went back to the queue" });
    await told.getByRole("button", { name: "Eve" }).click({ timeout: 60_000 });
    await page.getByText("Eve is waiting for an answer.").waitFor();
    assert.equal(await page.getByRole("list", { name: "Mine" }).getByRole("listitem").count(), 0);
    await page.getByRole("button", { name: "Accept" }).click();
    await eve.say("there you are");
    await page.getByRole("log").getByText("there you are").waitFor();
    assert.equal(await page.getByRole("log").getByRole("article").count(), 2);
  });

  it("what is unread is counted in the list and the title, until it is seen; drafts stay with their visitors", async () => {
    const [fay, gus] = [await accepted("Fay"), await accepted("Gus")];
    await using bob = await world.visit();
    const { page } = bob;
    await openDesk(page, world.service.member("bob"));
    await mine(page, "Gus").click();
    await page.getByRole("textbox", { name: "Message" }).fill("for Gus");
    await mine(page, "Fay").click();
    await page.getByRole("heading", { name: "Fay", level: 1 }).waitFor();
    const before = await unread(page);
    await fay.say("seen at once");
    await gus.say("one");
    await gus.say("two");
    const row = page.getByRole("listitem").filter({ hasText: "Gus" });
    await row.getByText("2 unread messages").waitFor();
    assert.equal(await unread(page), before + 2);
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
    await mine(page, "Gus").click();
    await page.getByRole("log").getByText("New", { exact: true }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "for Gus");
    await row.getByText(/unread/).waitFor({ state: "detached" });
    assert.equal(await unread(page), before);
    await page.reload();
    await mine(page, "Gus").waitFor();
    assert.equal(await row.getByText(/unread message/).count(), 0);
  });

  it(`${CONVERSATIONS} conversations in which all write leave typing smooth`, async (t) => {
    const visitors = [];
    for (let number = 0; number < CONVERSATIONS; number++) visitors.push(await accepted(`Visitor ${number}`));
    await using bob = await world.visit();
    const { page } = bob;
    await openDesk(page, world.service.member("bob"));
    await mine(page, "Visitor 7").click();
    await page.getByRole("log").getByText("message 1 ").waitFor();
    await page.evaluate(`
      globalThis.tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: "longtask" });
    `);
    const field = page.getByRole("textbox", { name: "Message" });
    let isOver = false;
    const flood = (async () => {
      try {
        for (let round = 2; round < ROUNDS + 2; round++) {
          await Promise.all(visitors.map(({ say }) => say(`message ${round} `)));
        }
      } finally {
        isOver = true;
      }
    })();
    while (!isOver) await field.pressSequentially("typing ");
    await flood;
    await page
      .getByRole("log")
      .getByText(`message ${ROUNDS + 1} `)
      .waitFor();
    await page
      .getByRole("listitem")
      .filter({ hasText: "Visitor 29" })
      .getByText(`${ROUNDS + 1} unread messages`)
      .waitFor();
    const longest = Math.max(0, ...(await page.evaluate<number[]>("tasks")));
    t.diagnostic(`the longest task took ${Math.round(longest)} ms`);
    assert.match(await field.inputValue(), /^(?:typing )+$/);
    if (process.env.PORTICO_TEST_TIMES === "1") assert.ok(longest <= LONGEST_TASK_MS);
  });

  /** The owner dismisses an agent, and makes them one again. */
  async function dismissAndReturn(username: string): Promise<void> {
    const { console: owner } = await consoleAs(world.service.url, world.service.developer);
    await owner.removeAgent({ params: { appId: APP, username } }, { tenantId: "t_demo" });
    await owner.addAgent({ params: { appId: APP }, body: { username } }, { tenantId: "t_demo" });
  }
});
