import type { Page } from "playwright-core";
import type { State } from "./messenger-states.ts";

const APP = "app_demo_service";
const EARLIER = `/desk/${APP}%3A1`;
const OWN = `/desk/${APP}%3A2`;
const WAITING = `/desk/${APP}%3A3`;
const HOSTILE = `/desk/${APP}%3A4`;

const log = (page: Page) => page.getByRole("log");
const field = (page: Page) => page.locator("form textarea");
/** The buttons above the open conversation's messages; what is done with it stands last. */
const tools = (page: Page) => page.locator("section header button:visible");
const modes = (page: Page) => page.locator("form button:not([type=submit])");

const signedIn = (name: string, path: string, show: State["show"]): State => ({ name, path, isSignedIn: true, show });

async function opened(page: Page): Promise<void> {
  await log(page).getByRole("article").first().waitFor();
  // What the panel reads.
  await page.locator("section section h3").last().waitFor({ state: "attached" });
}

async function dialog(page: Page, fromEnd: number): Promise<void> {
  await opened(page);
  await tools(page).nth(-fromEnd).click();
  await page.getByRole("dialog").waitFor();
}

/** The desk, and the states in which an agent may find it; by what stands in fixed places, as names differ by language. */
export const DESK_STATES: readonly State[] = [
  { name: "the desk's sign-in", path: "/desk/", isSignedIn: false, show: (page) => page.locator("form").waitFor() },
  signedIn("who waits and whom one has", "/desk/", (page) => page.locator("nav li").first().waitFor()),
  signedIn("one's own conversation", OWN, async (page) => {
    await opened(page);
    await field(page).waitFor();
  }),
  signedIn("one who waits", WAITING, opened),
  signedIn("a hostile visitor", HOSTILE, opened),
  signedIn("an earlier conversation", EARLIER, opened),
  signedIn("a conversation that is not there", `/desk/${APP}%3A999`, (page) =>
    page.locator("main section p").first().waitFor(),
  ),
  {
    ...signedIn("the visitor's details", OWN, async (page) => {
      await opened(page);
      const details = page.locator("section header button[aria-expanded]");
      if (await details.isVisible()) await details.click();
      await page.locator("section section dl").first().waitFor();
    }),
    // A desktop always has them beside the conversation.
    isOfPhones: true,
  },
  signedIn("a note being written", OWN, async (page) => {
    await opened(page);
    await modes(page).nth(1).click();
    await field(page).fill("She has asked twice before.");
  }),
  signedIn("a canned reply being looked for", OWN, async (page) => {
    await opened(page);
    await field(page).pressSequentially("/");
    await page.getByRole("option").first().waitFor();
  }),
  signedIn("the canned replies", OWN, async (page) => {
    await opened(page);
    await modes(page).nth(2).click();
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
  }),
  signedIn("a canned reply being written", OWN, async (page) => {
    await opened(page);
    await modes(page).nth(2).click();
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    await page.getByRole("dialog").getByRole("button").last().click();
    await page.getByRole("dialog").locator("textarea").fill("Thank you.");
    await page.getByRole("dialog").locator("button[type=submit]").click();
    await page.getByRole("dialog").getByRole("alert").waitFor();
  }),
  signedIn("a conversation being transferred", OWN, async (page) => {
    await dialog(page, 2);
    await page.getByRole("radio").first().click();
  }),
  signedIn("a conversation being closed", OWN, (page) => dialog(page, 1)),
  signedIn("what was found", "/desk/", async (page) => {
    await page.getByRole("searchbox").fill("order");
    await page.locator("nav mark").first().waitFor();
  }),
  signedIn("nothing found", "/desk/", async (page) => {
    await page.getByRole("searchbox").fill("no such words");
    await page.locator("nav [aria-busy=false] p").waitFor();
  }),
  signedIn("a message that was not sent", OWN, async (page) => {
    await opened(page);
    await page.route("**/messages", (route) => route.abort());
    await field(page).fill("Are you still there?");
    await page.keyboard.press("Enter");
    await log(page).getByRole("alert").waitFor();
  }),
  signedIn("messages that cannot be read", OWN, async (page) => {
    await page.route("**/messages?*", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").waitFor();
  }),
  signedIn("lists that cannot be read", "/desk/", async (page) => {
    await page.route("**/api/desk/v1/apps", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").waitFor();
  }),
  signedIn("who is no agent", "/desk/", async (page) => {
    await page.route("**/api/desk/v1/apps", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), value: { items: [] } } });
    });
    await page.reload();
    await page.locator("nav p").first().waitFor();
  }),
  signedIn("an agent of two applications", "/desk/", async (page) => {
    await page.route("**/api/desk/v1/apps", async (route) => {
      const answer = await route.fetch();
      const { value, ...envelope } = await answer.json();
      const [app] = value.items;
      const other = { ...app, appId: "app_other", name: "Schuhhaus Müller, Versand und Rückgabe" };
      await route.fulfill({ response: answer, json: { ...envelope, value: { items: [app, other] } } });
    });
    await page.route("**/api/desk/v1/apps/app_other/sessions?*", async (route) => {
      const answer = await route.fetch({ url: route.request().url().replace("app_other", APP) });
      const { value, ...envelope } = await answer.json();
      const items = value.items.slice(0, 1).map((each: object) => ({ ...each, sessionId: 4711 }));
      await route.fulfill({ response: answer, json: { ...envelope, value: { items } } });
    });
    await page.reload();
    await page.locator("nav select").waitFor();
  }),
  signedIn("the desk offline", OWN, async (page) => {
    await opened(page);
    await page.context().setOffline(true);
    await page.locator("[role=status] strong").waitFor();
  }),
  signedIn("the shortcuts", "/desk/", async (page) => {
    await page.locator("nav li").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
  }),
  signedIn("the account's menu", "/desk/", async (page) => {
    await page.locator("header button[aria-haspopup=menu]").click();
    await page.getByRole("menu").waitFor();
  }),
];
