import type { Page } from "playwright-core";
import { BOT, type ConsoleScene, press, SERVICE, scene } from "./console-scene.ts";

const PRIVATE_ADDRESS = "https://10.0.0.1/hook";

/** The page of an application's subscriptions: each way of delivery, and what can be done about each. */
export const EVENT_SCENES: readonly ConsoleScene[] = [
  scene("app-events-verified", `${BOT}/events`, (page) => pressAt(page, "im.message", "Verify", "验证").then(verdict)),
  scene("app-events-more", `${BOT}/events`, (page) => pressAt(page, "im.message", "More", "更多")),
  scene("app-events-unsubscribe", `${BOT}/events`, (page) => press(page, "Unsubscribe", "取消订阅")),
  scene("app-events-change", `${BOT}/events`, (page) => choose(page, "im.message", "Change delivery", "修改推送方式")),
  scene("app-events-by-socket-verified", `${BOT}/events`, (page) =>
    pressAt(page, "card.", "Verify", "验证").then(verdict),
  ),
  scene("app-events-by-socket-change", `${BOT}/events`, (page) =>
    choose(page, "card.", "Change delivery", "修改推送方式"),
  ),
  scene("app-events-by-socket-pause", `${BOT}/events`, (page) => choose(page, "card.", "Pause", "暂停")),
  scene("app-events-by-socket-rotate", `${BOT}/events`, (page) => pressAt(page, "card.", "Rotate secret", "轮换密钥")),
  scene("app-events-by-socket-secret", `${BOT}/events`, async (page) => {
    await pressAt(page, "card.", "Rotate secret", "轮换密钥");
    await confirm(page);
    await page.getByRole("dialog").locator("dl").waitFor();
  }),
  scene("app-events-by-socket-offline", `${BOT}/events`, async (page) => {
    await pressAt(page, "card.", "Rotate secret", "轮换密钥");
    await page.context().setOffline(true);
    await confirm(page);
    await page.getByRole("dialog").getByRole("alert").waitFor();
  }),
  scene("service-events-not-connected", `${SERVICE}/events`, (page) =>
    pressAt(page, "agent.", "Verify", "验证").then(verdict),
  ),
  scene("service-events-subscribe", `${SERVICE}/events`, (page) => pressAt(page, "message.", "Subscribe", "订阅")),
  scene("service-events-subscribe-by-socket", `${SERVICE}/events`, async (page) => {
    await pressAt(page, "message.", "Subscribe", "订阅");
    await page.getByRole("dialog").getByRole("radio").last().check();
  }),
  scene("service-events-subscribe-nothing-entered", `${SERVICE}/events`, async (page) => {
    await pressAt(page, "message.", "Subscribe", "订阅");
    await confirm(page);
    await page.getByRole("dialog").locator(".ant-form-item-explain-error").waitFor();
  }),
  scene("service-events-subscribe-refused", `${SERVICE}/events`, async (page) => {
    await pressAt(page, "message.", "Subscribe", "订阅");
    await page.getByRole("dialog").getByRole("textbox").fill(PRIVATE_ADDRESS);
    await confirm(page);
    await page.getByRole("dialog").getByRole("alert").waitFor();
  }),
];

/** Presses a button in the row of a kind of event. */
async function pressAt(page: Page, kind: string, english: string, chinese: string): Promise<Page> {
  const row = page.getByRole("row").filter({ hasText: kind });
  const button = row.getByRole("button", { name: english, exact: true });
  await button.or(row.getByRole("button", { name: chinese, exact: true })).click();
  return page;
}

async function choose(page: Page, kind: string, english: string, chinese: string): Promise<void> {
  await pressAt(page, kind, "More", "更多");
  const item = page.getByRole("menuitem", { name: english });
  await item.or(page.getByRole("menuitem", { name: chinese })).click();
  await page.getByRole("dialog").waitFor();
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole("dialog").locator("button.ant-btn-primary").click();
}

async function verdict(page: Page): Promise<void> {
  await page.locator("[data-passed]").waitFor();
}
