import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { numbersDrawn, still } from "./support/log-positions.ts";
import { demoBot } from "./support/seed-messages.ts";
import { signInToMessenger } from "./support/sign-in.ts";

describe("the messenger between networks, tabs and people", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  const group = (page: Page) => page.getByRole("listitem").filter({ hasText: "Demo group" });

  async function open(page: Page, username: string): Promise<void> {
    await signInToMessenger(page, world.service.member(username));
    await group(page).getByRole("link").click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
  }

  it("what came while the network was gone is there in its order once it is back, on both sides", async () => {
    await using alice = await world.visit();
    await using bob = await world.visit();
    await Promise.all([open(alice.page, "alice"), open(bob.page, "bob")]);
    const { say } = demoBot(world.service);
    await say("message 1 ");
    await alice.page.getByRole("log").getByText("message 1 ").waitFor();
    await alice.context.setOffline(true);
    await alice.page.getByRole("status").filter({ hasText: "You are offline" }).waitFor();
    for (let number = 2; number <= 70; number++) await say(`message ${number} `);
    await alice.page.getByRole("textbox", { name: "Message" }).fill("written in the tunnel");
    await alice.page.keyboard.press("Enter");
    await alice.page.getByRole("button", { name: "Retry" }).waitFor();
    await alice.context.setOffline(false);
    await alice.page.getByRole("log").getByText("message 70 ").waitFor({ timeout: 60_000 });
    await alice.page.getByRole("status").filter({ hasText: "You are offline" }).waitFor({ state: "detached" });
    await alice.page.getByRole("button", { name: "Retry" }).click();
    await bob.page.getByRole("log").getByText("written in the tunnel").waitFor();
    await still(alice.page);
    const drawn = await numbersDrawn(alice.page);
    const [first = 0] = drawn;
    assert.deepEqual(
      drawn,
      drawn.map((_, index) => first + index),
    );
    assert.equal(await alice.page.getByRole("article").filter({ hasText: "written in the tunnel" }).count(), 1);
  });

  it("another person's sign-in in a second tab is noticed at once in the first", async () => {
    await using both = await world.visit();
    await open(both.page, "alice");
    await both.page.getByRole("textbox", { name: "Message" }).fill("half a word");
    const second = await both.context.newPage();
    await second.goto("/");
    await second.getByRole("button", { name: "Sign in as Bob" }).click();
    await second.getByRole("list", { name: "Conversations" }).waitFor();
    await both.page.getByRole("button", { name: "Account" }).click();
    await both.page.getByRole("menu").getByText("bob", { exact: true }).waitFor();
    await both.page.keyboard.press("Escape");
    // What the first person wrote and did not send is theirs alone.
    assert.equal(await both.page.getByRole("textbox", { name: "Message" }).inputValue(), "");
    await second.getByRole("button", { name: "Account" }).click();
    await second.getByRole("menuitem", { name: "Sign out" }).click();
    await both.page.getByLabel("Organisation").waitFor();
  });

  it("a sign-out without a network says so, and is made when it is tried again", async () => {
    await using alice = await world.visit();
    await open(alice.page, "alice");
    await alice.context.setOffline(true);
    await alice.page.getByRole("button", { name: "Account" }).click();
    await alice.page.getByRole("menuitem", { name: "Sign out" }).click();
    const alert = alice.page.getByRole("alert");
    await alert.getByText("The service could not be reached.").waitFor();
    await alice.context.setOffline(false);
    await alert.getByRole("button", { name: "Try again" }).click();
    await alice.page.getByLabel("Organisation").waitFor();
  });

  it("the marks of two tabs count what is left, and a flood of messages makes few calls", async () => {
    await using carol = await world.visit();
    const { page, context } = carol;
    await open(page, "carol");
    const second = await context.newPage();
    await second.goto("/messenger/");
    await group(second).waitFor();
    let marks = 0;
    page.on("request", (request) => {
      if (request.method() === "PUT" && request.url().endsWith("/read")) marks++;
    });
    const { say } = demoBot(world.service);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 60 }, (_, index) => say(`flood ${index}`)));
    await page.getByRole("listitem").filter({ hasText: "Demo bot: flood" }).waitFor();
    await group(second)
      .getByText(/unread message/)
      .waitFor({ state: "detached" });
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.ok(marks <= seconds + 2, `${marks} marks in ${seconds.toFixed(1)} s`);
  });

  it("who scrolls up has not seen what comes below", async () => {
    await using carol = await world.visit();
    const { page } = carol;
    await open(page, "carol");
    await page.getByRole("article").first().waitFor();
    await still(page);
    await page.getByRole("log").hover();
    await page.mouse.wheel(0, -400);
    await page.getByRole("button", { name: "To the newest message" }).waitFor();
    await demoBot(world.service).say("below the view");
    await group(page).getByText("1 unread message").waitFor();
    await page.getByRole("button", { name: "1 new message" }).click();
    await page.getByRole("log").getByText("below the view").waitFor();
    await group(page)
      .getByText(/unread message/)
      .waitFor({ state: "detached" });
  });

  it("what was written and not sent is there when the member comes back to the conversation", async () => {
    await using alice = await world.visit();
    const { page } = alice;
    await open(page, "alice");
    await page.getByRole("textbox", { name: "Message" }).fill("to be continued");
    await page.getByRole("button", { name: "Attach a file" }).waitFor();
    await page.locator("input[type=file]").setInputFiles({
      name: "plan.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("a plan"),
    });
    await page.getByRole("button", { name: "Remove plan.txt" }).waitFor();
    await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: "Demo bot" }).click();
    await page.getByRole("heading", { name: "Demo bot" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
    await group(page).getByRole("link").click();
    await page.getByRole("heading", { name: "Demo group" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "to be continued");
    await page.getByRole("button", { name: "Remove plan.txt" }).waitFor();
  });

  it("on a phone a conversation that is not there leads back to the list", async () => {
    await using alice = await world.visit({ viewport: { width: 390, height: 844 } });
    const { page } = alice;
    await open(page, "alice");
    await page.goto("/messenger/group%3Anowhere");
    await page.getByText("This conversation does not exist").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await group(page).getByRole("link").waitFor();
  });
});
