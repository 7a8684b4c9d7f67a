import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { consoleAs } from "../test/support/console-as.ts";
import type { DemoService } from "../test/support/demo-service.ts";
import { integrator } from "../test/support/desk-visitor.ts";
import { SHOP, type Site, scriptTag, startSite } from "../test/support/widget-site.ts";
import { settled } from "./settled.ts";

const APP = "app_demo_service";

/** Starts a site with the widget, which the demo's customer service allows from now on. */
export async function widgetSite(service: DemoService): Promise<Site> {
  const site = await startSite({ "/": { body: SHOP + scriptTag(service.url, APP) } });
  const { console } = await consoleAs(service.url, service.developer);
  const { allowedOrigins } = await console.getApp({ params: { appId: APP } });
  const body = { allowedOrigins: [...allowedOrigins, site.origin], anonymousVisitors: true };
  await console.updateApp({ params: { appId: APP }, body });
  return site;
}

/** Takes pictures of the widget on a site, from the button to the rating. Returns how many. */
export async function photographWidget(
  context: BrowserContext,
  { service, site, folder }: { service: DemoService; site: Site; folder: string },
): Promise<number> {
  const page = await context.newPage();
  let taken = 0;
  const picture = async (name: string) => {
    await settled(page);
    await page.screenshot({ path: join(folder, `widget-${name}.png`) });
    taken++;
  };
  const chat = page.frameLocator("iframe");
  await page.goto(site.origin);
  const button = page.getByRole("button", { name: /^(Chat with us|联系客服)$/ });
  await button.waitFor();
  await picture("button");
  await button.click();
  const field = chat.getByRole("textbox", { name: /^(Message|消息内容)$/ });
  await field.waitFor();
  await picture("empty");

  const visitor = page.waitForResponse((response) => response.url().endsWith("/api/widget/v1/visitors"));
  await field.fill("Hello, where is my order? https://shop.example/orders/4711");
  await field.press("Enter");
  const { visitorId } = (await (await visitor).json()).value;
  await chat.getByRole("status").getByText(/\S/).first().waitFor();
  await attach(page, await page.screenshot({ clip: { x: 0, y: 0, width: 360, height: 200 } }));
  await picture("attached");
  await chat.getByRole("button", { name: /^(Send|发送)$/ }).click();
  await chat.getByRole("img").first().waitFor();
  await picture("waiting");

  const agents = integrator(service);
  const answer = (content: string) => agents.sendAgentMessage({ agentId: "carol", visitorId, content });
  const { sessionId } = await answer("Hello. It left today.\nYou should have it by Wednesday.");
  await answer("Anything else I can do for you?");
  await chat.getByText("Anything else").waitFor();
  await picture("talk");
  await page.context().setOffline(true);
  await field.fill("No, thank you");
  await field.press("Enter");
  await chat.getByText(/^(Not sent yet|尚未发送)/).waitFor();
  await picture("offline");
  await page.context().setOffline(false);
  await chat.getByText(/^(Not sent yet|尚未发送)/).waitFor({ state: "detached" });
  await agents.closeSession({ sessionId });
  await chat.getByRole("radio").nth(3).check();
  await picture("rating");
  await page.close();
  return taken;
}

async function attach(page: Page, picture: Buffer): Promise<void> {
  await page
    .frameLocator("iframe")
    .locator("input[type=file]")
    .setInputFiles([
      { name: "invoice.pdf", mimeType: "application/pdf", buffer: Buffer.from("an invoice") },
      { name: "photo.png", mimeType: "image/png", buffer: picture },
    ]);
}
