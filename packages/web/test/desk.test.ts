import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./support/accessibility.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { deskVisitor } from "./support/desk-visitor.ts";
import { openDesk, signInToDesk } from "./support/sign-in.ts";

/** A picture of one pixel. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the desk", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  const list = (page: Page, name: "Waiting" | "Mine") => page.getByRole("list", { name });
  const item = (page: Page, name: "Waiting" | "Mine", visitor: string) =>
    list(page, name).getByRole("button", { name: visitor });
  const said = (page: Page, text: string) =>
    page.getByRole("log", { name: "Messages" }).getByRole("article").filter({ hasText: text });

  async function accept(page: Page, visitor: string): Promise<void> {
    await item(page, "Waiting", visitor).click();
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
  }

  async function write(page: Page, text: string): Promise<void> {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  }

  it("an agent accepts who waits, both talk, with a picture and a file, and the agent closes", async () => {
    await using bob = await world.visit();
    const { page } = bob;
    const ann = await deskVisitor(world.service, "c-ann", { nickname: "Ann" });
    await signInToDesk(page, world.service.member("bob"));
    await page.getByText("Nobody is waiting.").waitFor();
    await ann.say("Where is my order?");
    await accept(page, "Ann");
    await item(page, "Mine", "Ann").waitFor();
    await list(page, "Waiting").getByRole("listitem").waitFor({ state: "detached" });
    await said(page, "Where is my order?").waitFor();
    await write(page, "It left today.");
    await said(page, "It left today.").waitFor();
    await ann.say("Thank you");
    await said(page, "Thank you").waitFor();
    await ann.send("image", new Blob([Buffer.from(DOT, "base64")], { type: "image/png" }), "shoe.png");
    await page.getByRole("button", { name: "Picture shoe.png" }).waitFor();
    await page.locator("input[type=file]").setInputFiles({
      name: "terms.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("the terms"),
    });
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("link", { name: /Download terms.txt/ }).waitFor();
    const { items } = await ann.api.listMessages();
    assert.deepEqual(
      items.map(({ senderType, msgType }) => `${senderType} ${msgType}`),
      ["VISITOR text", "AGENT text", "VISITOR text", "VISITOR image", "AGENT file"],
    );
    assert.equal(await said(page, "Thank you").count(), 1);
    await assertAccessible(page);
    await page.getByRole("button", { name: "Close conversation" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("answered");
    await dialog.getByRole("button", { name: "Close conversation" }).click();
    await list(page, "Mine").getByRole("listitem").waitFor({ state: "detached" });
    await page.getByText(/^Closed by Bob/).waitFor();
    assert.equal((await ann.api.getSession()).session?.status, "CLOSED");
  });

  it("who is online is given who waits, and stays so after a reload", async () => {
    await using bob = await world.visit();
    const { page } = bob;
    const dora = await deskVisitor(world.service, "c-dora", { nickname: "Dora" });
    await dora.say("Anybody there?");
    await openDesk(page, world.service.member("bob"));
    const online = page.getByRole("switch", { name: "Online" });
    await item(page, "Waiting", "Dora").waitFor();
    await online.click();
    await item(page, "Mine", "Dora").waitFor();
    await page.reload();
    await item(page, "Mine", "Dora").waitFor();
    assert.equal(await online.getAttribute("aria-checked"), "true");
    await online.click();
    await page.getByRole("switch", { name: "Online", checked: false }).waitFor();
    await item(page, "Mine", "Dora").waitFor();
  });

  it("of two agents who accept at once one has the conversation, and the other is told", async () => {
    await using bob = await world.visit();
    await using carol = await world.visit();
    const eve = await deskVisitor(world.service, "c-eve", { nickname: "Eve" });
    await eve.say("Hello?");
    await Promise.all([
      openDesk(bob.page, world.service.member("bob")),
      openDesk(carol.page, world.service.member("carol")),
    ]);
    const pages = [bob.page, carol.page];
    await Promise.all(pages.map((page) => item(page, "Waiting", "Eve").click()));
    await Promise.all(pages.map((page) => page.getByRole("button", { name: "Accept" }).waitFor()));
    // The stream tells the slower one too, which would take the button away before it is pressed.
    await Promise.all(pages.map((page) => page.evaluate(PRESS_ACCEPT)));
    const outcomes = await Promise.all(
      pages.map(async (page) => {
        const won = page.getByRole("textbox", { name: "Message" });
        const lost = page.getByRole("alert").filter({ hasText: "was faster" });
        await won.or(lost).waitFor();
        return (await won.isVisible()) ? "won" : "lost";
      }),
    );
    assert.deepEqual(outcomes.toSorted(), ["lost", "won"]);
  });
});

/** Runs in the page. */
const PRESS_ACCEPT = `[...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Accept").click()`;
