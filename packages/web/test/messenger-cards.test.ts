import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Component, card, component, hr, markdown, PorticoClient, plainText } from "@portico/sdk";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openMessenger } from "./support/sign-in.ts";

describe("cards in the messenger", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  function demoBot() {
    const { appId, credentials } = world.service.app("app_demo_bot");
    const [credential] = credentials;
    assert.ok(credential);
    return new PorticoClient({ baseUrl: world.service.url, appId, ...credential }).bot;
  }

  it("what a member enters, chooses and opens outlives updates, other conversations and scrolling, and goes with its component", async () => {
    const bot = demoBot();
    const group = { receiveIdType: "group_id", receiveId: "g_demo" } as const;
    const long = `Minutes: ${"and so on ".repeat(600)}THE END`;
    const options = [
      { text: "Ann", value: "a" },
      { text: "Bob", value: "b" },
    ];
    const questions = [
      markdown(long),
      component("input", { name: "reason", label: "Reason" }),
      component("date_picker", { name: "day", label: "Day" }),
      component("multi_select_static", { name: "who", label: "Who", options }),
    ];
    const cardOf = (step: number, fields: readonly Component[] = questions) =>
      card({ elements: [plainText(`Step ${step}`), ...Array.from({ length: step }, hr), ...fields] });
    const { messageId } = await bot.sendMessage({ ...group, msgType: "card", content: { card: cardOf(1) } });
    const update = (step: number, fields?: readonly Component[]) =>
      bot.updateCard({ messageId, card: cardOf(step, fields) });

    await using alice = await world.visit();
    const { page } = alice;
    await openMessenger(page, world.service.member("alice"));
    const conversation = (name: string) =>
      page.getByRole("list", { name: "Conversations" }).getByRole("link", { name, exact: true });
    await conversation("Demo group").click();
    const drawn = page.locator(`[data-card="${messageId}"]`);
    const [reason, day] = [drawn.getByLabel("Reason"), drawn.getByLabel("Day")];
    await drawn.getByRole("button", { name: "Show all" }).click();
    await drawn.getByRole("button", { name: /^Who/ }).click();
    await drawn.getByRole("checkbox", { name: "Bob" }).check();
    await page.keyboard.press("Escape");
    await day.fill("2026-11-22");
    await reason.pressSequentially("half a sen");

    await update(2);
    await drawn.getByText("Step 2").waitFor();
    assert.equal(await page.evaluate("document.activeElement?.tagName"), "INPUT");
    await page.keyboard.type("tence");
    // What is not reported yet would be lost with the page.
    const asked = page.waitForEvent("dialog");
    await page.evaluate("void setTimeout(() => location.reload())");
    const dialog = await asked;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    const assertThere = async (step: number) => {
      await drawn.getByText(`Step ${step}`).waitFor();
      assert.equal(await reason.inputValue(), "half a sentence");
      assert.equal(await day.inputValue(), "2026-11-22");
      await drawn.getByText("Bob", { exact: true }).first().waitFor();
      await drawn.getByText("THE END").waitFor();
    };
    await assertThere(2);
    // What was reported stays too.
    await page.keyboard.press("Enter");
    await update(3);
    await assertThere(3);

    await conversation("Demo bot").click();
    await drawn.waitFor({ state: "detached" });
    await update(4);
    await conversation("Demo group").click();
    await assertThere(4);

    const [screens, text] = [40, "filler ".repeat(80)];
    const filler = { ...group, msgType: "text", content: { text } } as const;
    for (let sent = 0; sent < screens; sent += 10)
      await Promise.all(Array.from({ length: 10 }, () => bot.sendMessage(filler)));
    await bot.sendMessage({ ...filler, content: { text: "the last one" } });
    await page.getByRole("log").getByText("the last one").waitFor();
    const toEnd = page.getByRole("button", { name: "To the newest message" });
    if (await toEnd.isVisible()) await toEnd.click();
    await drawn.waitFor({ state: "detached" });
    await page.getByRole("log").hover();
    const scrollTo = async (text: string) => {
      while ((await drawn.getByText(text).count()) === 0) await page.mouse.wheel(0, -600);
    };
    await scrollTo("Step 4");
    await assertThere(4);

    await update(5, [markdown("nothing to fill in")]);
    await scrollTo("nothing to fill in");
    await update(6);
    await scrollTo("Step 6");
    assert.equal(await reason.inputValue(), "");
    assert.equal(await day.inputValue(), "");
    await drawn.getByRole("button", { name: "Show all" }).waitFor();
  });

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    it(`a card without a bubble takes at least 85% of the log, centred, ${viewport.width} px wide`, async () => {
      const bot = demoBot();
      const unbubbled = card({ config: { horizontal_align: "center" }, elements: [plainText("The whole row")] });
      const content = { card: unbubbled };
      await bot.sendMessage({ receiveIdType: "group_id", receiveId: "g_demo", msgType: "card", content });
      await using alice = await world.visit();
      const { page } = alice;
      await page.setViewportSize(viewport);
      await openMessenger(page, world.service.member("alice"));
      await page.getByRole("list", { name: "Conversations" }).getByRole("link", { name: "Demo group" }).click();
      const log = await page.getByRole("log", { name: "Messages" }).boundingBox();
      const box = await page.locator("[data-card]").last().boundingBox();
      assert.ok(log && box);
      assert.ok(box.width >= 0.85 * log.width, `${box.width} of ${log.width} px`);
      const [left, right] = [box.x - log.x, log.x + log.width - box.x - box.width];
      assert.ok(Math.abs(left - right) <= 20, `${left} px on the left, ${right} px on the right`);
    });
  }
});
