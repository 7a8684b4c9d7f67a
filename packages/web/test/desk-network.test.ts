import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { deskAgent } from "../screenshots/seed-desk.ts";
import { launchOwnBrowser, NO_BROWSER } from "./support/browser.ts";
import { CallCount } from "./support/call-count.ts";
import { consoleAs } from "./support/console-as.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { deskVisitor, integrator } from "./support/desk-visitor.ts";
import { numbersDrawn, still } from "./support/log-positions.ts";
import { endMemberLogins, fillMemberSignIn, openDesk } from "./support/sign-in.ts";
import { visit } from "./support/visit.ts";

const APP = "app_demo_service";
const CONVERSATIONS = 30;
const FEW = 3;
const ROUNDS = 10;
/** The mark of an interface that answers at once, twice over: the machine of the tests is slow. */
const LONGEST_TASK_MS = 100;
/** What may be called more for each message, or key, where ten times as many conversations are in the list. */
const MOST_MORE = { message: 3, key: 1.5 };
/** Without heartbeats for a minute, and some more until that is seen on a busy machine. */
const GONE_WITHIN_MS = 150_000;

describe("the desk between networks", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();
  let ofTheKilled: Awaited<ReturnType<typeof waiting>>;
  // The minute passes while the others run.
  before(async () => {
    ofTheKilled = await waiting("Zoe");
    const carols = await launchOwnBrowser();
    const { page } = await visit(carols.browser, world.service.url);
    await openDesk(page, world.service.member("carol"));
    await page.getByRole("list", { name: "Waiting" }).getByRole("button", { name: "Zoe" }).click();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await carols.kill();
  });

  const mine = (page: Page, visitor: string) =>
    page.getByRole("list", { name: "Mine" }).getByRole("button", { name: visitor });
  const offline = (page: Page) => page.getByRole("status").filter({ hasText: "You are offline" });

  /** As the title says. */
  const unread = async (page: Page) => Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);

  async function waiting(nickname: string) {
    const visitor = await deskVisitor(world.service, `c-${nickname}`, { nickname });
    const { sessionId } = await visitor.say("message 1 ");
    return { ...visitor, sessionId };
  }

  it("a reply and a note that the end of a login interrupts are there when the agent has signed in again", async () => {
    await using bob = await world.visit();
    const { page } = bob;
    await accepted("Nora");
    await openDesk(page, world.service.member("bob"));
    await mine(page, "Nora").click();
    await page.getByRole("textbox", { name: "Message" }).fill("half a reply");
    await page.getByRole("button", { name: "Internal note" }).click();
    await page.getByRole("textbox", { name: "Internal note" }).fill("half a note");
    await endMemberLogins(world.service, "bob");
    await page.getByRole("alert").filter({ hasText: "Your sign-in has ended" }).waitFor();
    await fillMemberSignIn(page, world.service.member("bob"));
    assert.equal(await page.getByRole("textbox", { name: "Internal note" }).inputValue(), "half a note");
    await page.getByRole("button", { name: "Reply", exact: true }).click();
    await page.getByRole("textbox", { name: "Message" }).press("Enter");
    await page.getByRole("log").getByText("half a reply").waitFor();
  });

  async function accepted(nickname: string) {
    const visitor = await waiting(nickname);
    const { sessionId } = visitor;
    const agent = await deskAgent(world.service, "bob");
    await agent.acceptSession({ params: { appId: APP, sessionId: String(sessionId) } });
    return visitor;
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

  it("what a message and a key cost does not grow with the conversations", async (t) => {
    await using bob = await world.visit();
    const { page } = bob;
    const agent = await deskAgent(world.service, "bob");
    await closeAll();
    const calls = await CallCount.of(page);
    const costs = new Map<number, { message: number; key: number }>();
    let number = 0;
    for (const count of [FEW, FEW * 10]) {
      const all: Awaited<ReturnType<typeof waiting>>[] = [];
      while (all.length < count - (count > FEW ? FEW : 0)) all.push(await accepted(`Customer ${++number}`));
      // Nobody is kept waiting, so no clock of theirs ticks.
      const write = async ({ sessionId }: { sessionId: number }, content: string) =>
        await agent.postMessage({ params: { appId: APP, sessionId: String(sessionId) }, body: { content } });
      for (const visitor of all) await write(visitor, "answer 1");
      await openDesk(page, world.service.member("bob"));
      await mine(page, `Customer ${number}`).click();
      await page.getByRole("log").getByText("answer 1").waitFor();
      assert.equal(await page.getByRole("list", { name: "Mine" }).getByRole("listitem").count(), count);
      const written = async () => {
        for (let round = 2; round < ROUNDS + 2; round++) {
          await write(all[round % all.length] ?? assert.fail(), `answer ${count}-${round}.`);
          await page.getByRole("list", { name: "Mine" }).getByText(`answer ${count}-${round}.`).waitFor();
        }
      };
      const typed = () => page.getByRole("textbox", { name: "Message" }).pressSequentially("typing ");
      costs.set(count, {
        message: (await calls.during(written)) / ROUNDS,
        key: (await calls.during(typed)) / "typing ".length,
      });
      await page.getByRole("textbox", { name: "Message" }).fill("");
    }
    const [few, many] = [costs.get(FEW), costs.get(FEW * 10)];
    assert.ok(few !== undefined && many !== undefined);
    t.diagnostic(`calls for a message and a key: ${JSON.stringify([few, many])}`);
    assert.ok(few.message > 50 && few.key > 10, "calls are counted");
    assert.ok(many.message <= few.message * MOST_MORE.message);
    assert.ok(many.key <= few.key * MOST_MORE.key);
  });

  it("the conversation of an agent whose browser was killed waits again, and another agent takes it", async () => {
    const { sessionId } = ofTheKilled;
    const customer = integrator(world.service);
    const deadline = performance.now() + GONE_WITHIN_MS;
    while ((await customer.getSession(sessionId)).status !== "QUEUED") {
      assert.ok(performance.now() < deadline, "the session went back to the queue");
      await new Promise((done) => setTimeout(done, 250));
    }
    await using bob = await world.visit();
    const { page } = bob;
    await openDesk(page, world.service.member("bob"));
    await page.getByRole("list", { name: "Waiting" }).getByRole("button", { name: "Zoe" }).click();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill("I go on with this");
    await page.keyboard.press("Enter");
    await page.getByRole("log").getByText("I go on with this").waitFor();
    assert.equal((await customer.getSession(sessionId)).agentId, "bob");
    const { items } = await ofTheKilled.api.listMessages();
    assert.deepEqual(
      items.map(({ content }) => content),
      ["message 1 ", "I go on with this"],
    );
  });

  /** Ends all that the agent has. */
  async function closeAll(): Promise<void> {
    const agent = await deskAgent(world.service, "bob");
    for (;;) {
      const { items } = await agent.listSessions({ params: { appId: APP }, query: { status: "ACTIVE" } });
      if (items.length === 0) return;
      for (const { sessionId } of items) {
        await agent.closeSession({ params: { appId: APP, sessionId: String(sessionId) }, body: {} });
      }
    }
  }

  /** The owner dismisses an agent, and makes them one again. */
  async function dismissAndReturn(username: string): Promise<void> {
    const { console: owner } = await consoleAs(world.service.url, world.service.developer);
    await owner.removeAgent({ params: { appId: APP, username } }, { tenantId: "t_demo" });
    await owner.addAgent({ params: { appId: APP }, body: { username } }, { tenantId: "t_demo" });
  }
});
