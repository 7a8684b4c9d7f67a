import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { card, PorticoClient, plainText } from "@portico/sdk";
import { NO_BROWSER } from "./support/browser.ts";
import { DemoWorld } from "./support/demo-world.ts";
import { openMessenger } from "./support/sign-in.ts";

describe("cards in the messenger", { skip: NO_BROWSER }, () => {
  const world = new DemoWorld();

  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 360, height: 740 },
  ]) {
    it(`a card without a bubble takes at least 85% of the log, centred, ${viewport.width} px wide`, async () => {
      const { appId, credentials } = world.service.app("app_demo_bot");
      const [credential] = credentials;
      assert.ok(credential);
      const { bot } = new PorticoClient({ baseUrl: world.service.url, appId, ...credential });
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
