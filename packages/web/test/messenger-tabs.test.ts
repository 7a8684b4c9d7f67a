import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { numbersDrawn, still } from "./support/log-positions.ts";
import { demoBot } from "./support/seed-messages.ts";
import { endMemberLogins, fillMemberSignIn, signInToMessenger } from "./support/sign-in.ts";

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

  it("what was written is there when the same person has signed in again, and never for another", async () => {
    await using both = await world.visit();
    const { page } = both;
    await open(page, "alice");
    await page.getByRole("textbox", { name: "Message" }).fill("half a word");
    await page.route("**/messages", (route) => route.abort());
    await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: "Demo bot" }).click();
    await page.getByRole("heading", { name: "Demo bot" }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("that fails");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Retry" }).waitFor();
    await page.unroute("**/messages");
    const second = await both.context.newPage();
    await second.goto("/messenger/");
    const signOut = async () => {
      await second.getByRole("button", { name: "Account" }).click();
      await second.getByRole("menuitem", { name: "Sign out" }).click();
    };
    await signOut();
    await page.getByRole("alert").filter({ hasText: "You were signed out in another window." }).waitFor();
    assert.equal(await page.getByText("that fails").isVisible(), false);
    await signInHere(page, "alice");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Retry" }).waitFor({ state: "detached" });
    await group(page).getByRole("link").click();
    await page.getByRole("heading", { name: "Demo group" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "half a word");
    await demoBot(world.service).say("what comes is followed again");
    await page.getByRole("log").getByText("what comes is followed again").waitFor();
    await second.goto("/messenger/");
    await signOut();
    await signInHere(page, "bob");
    await group(page).getByRole("link").click();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
    await second.goto("/messenger/");
    await signOut();
    await signInHere(page, "alice");
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "");
  });

  it("a login that the service has ended says so, and its draft waits", async () => {
    await using alice = await world.visit();
    const { page } = alice;
    await open(page, "carol");
    await page.getByRole("textbox", { name: "Message" }).fill("to be finished");
    await endMemberLogins(world.service, "carol");
    await page.getByRole("alert").filter({ hasText: "Your sign-in has ended" }).waitFor();
    await signInHere(page, "carol");
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "to be finished");
  });

  it("the browser asks before a page goes on which something is not sent, in any conversation, and only then", async () => {
    await using alice = await world.visit();
    const { page } = alice;
    let asked = 0;
    page.on("dialog", (dialog) => {
      asked++;
      void dialog.accept();
    });
    await open(page, "alice");
    await page.reload();
    await page.getByRole("textbox", { name: "Message" }).fill("not sent");
    await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: "Demo bot" }).click();
    await page.getByRole("heading", { name: "Demo bot" }).waitFor();
    assert.equal(asked, 0);
    await page.reload();
    assert.equal(asked, 1);
    await page.getByRole("textbox", { name: "Message" }).fill("that fails");
    await page.route("**/messages", (route) => route.abort());
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Retry" }).waitFor();
    await page.reload();
    assert.equal(asked, 2);
  });

  /** Signs in on the page as it is. */
  async function signInHere(page: Page, name: string): Promise<void> {
    await fillMemberSignIn(page, world.service.member(name));
    await page.getByRole("list", { name: "Conversations" }).waitFor();
  }

  it("a sign-out asks first where something that was written would be lost", async () => {
    await using alice = await world.visit();
    const { page } = alice;
    await open(page, "alice");
    await page.getByRole("textbox", { name: "Message" }).fill("half a word");
    const ask = async () => {
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    };
    await ask();
    const dialog = page.getByRole("dialog", { name: "Sign out of the messenger" });
    await dialog.getByText("not sent is lost").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await page.getByRole("textbox", { name: "Message" }).inputValue(), "half a word");
    await ask();
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Organisation").waitFor();
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
