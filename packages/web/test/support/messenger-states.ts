import type { Page } from "playwright-core";

const GROUP = "/messenger/group%3Ag_demo";
const field = (page: Page) => page.locator("textarea");
const log = (page: Page) => page.getByRole("log");

/** A page or a state of it. Names differ by language, so these go by what stands in fixed places. */
export interface State {
  name: string;
  path: string;
  /** Whether a member is signed in. */
  isSignedIn: boolean;
  /** Whether a phone shows in it what no state on a desktop shows. */
  isOfPhones?: boolean;
  show(page: Page): Promise<unknown>;
}

const signedOut = (name: string, path: string, show: State["show"]): State => ({ name, path, isSignedIn: false, show });
const signedIn = (name: string, path: string, show: State["show"]): State => ({ name, path, isSignedIn: true, show });

/** The pages of start and messenger, and the states in which a person may find them. */
export const STATES: readonly State[] = [
  signedOut("the start page", "/", (page) => page.locator("main section").first().waitFor()),
  signedOut("the start page without the service's word", "/", async (page) => {
    await page.route("/start.json", (route) => route.abort());
    await page.reload();
    await page.locator("main h1").waitFor();
  }),
  signedOut("the start page, its menu open", "/", (page) => page.locator("header button").click()),
  signedOut("the sign-in", "/messenger/", (page) => page.locator("form").waitFor()),
  signedOut("the sign-in, nothing entered", "/messenger/", async (page) => {
    await page.locator("button[type=submit]").click();
    await page.locator("[aria-invalid=true]").first().waitFor();
  }),
  signedOut("the sign-in, refused", "/messenger/", async (page) => {
    await page.locator("input[name=tenantId]").fill("t_demo");
    await page.locator("input[name=username]").fill("nobody");
    await page.locator("input[name=password]").fill("not the password");
    await page.locator("button[type=submit]").click();
    await page.getByRole("alert").waitFor();
  }),
  signedIn("the list", "/messenger/", (page) => page.getByRole("listitem").first().waitFor()),
  signedIn("a group with messages of each kind", GROUP, (page) => page.locator("[data-card]").first().waitFor()),
  signedIn("an empty conversation", "/messenger/bot%3Aapp_demo_bot", (page) => log(page).locator("p").waitFor()),
  signedIn("a conversation that is not there", "/messenger/group%3Anowhere", async (page) => {
    await page.getByRole("main").waitFor();
    await log(page).waitFor({ state: "detached" });
  }),
  signedIn("a message that was not sent", GROUP, async (page) => {
    await page.route("**/messages", (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await field(page).fill("Is anybody there?");
    await page.keyboard.press("Enter");
    await log(page).getByRole("alert").waitFor();
  }),
  signedIn("messages that cannot be read", GROUP, async (page) => {
    await page.route("**/messages?*", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").waitFor();
  }),
  signedIn("a list that cannot be read", "/messenger/", async (page) => {
    await page.route("**/conversations?*", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").waitFor();
  }),
  signedIn("offline", GROUP, async (page) => {
    // Until it is drawn, its scripts may be on their way.
    await page.locator("[data-card]").first().waitFor();
    await page.context().setOffline(true);
    await page.locator("[role=status] strong").waitFor();
  }),
  signedIn("files attached, one too large", GROUP, async (page) => {
    await field(page).waitFor();
    await page.evaluate(`(() => {
      const input = document.querySelector("input[type=file]");
      const files = new DataTransfer();
      files.items.add(new File(["a plan"], "plan.txt", { type: "text/plain" }));
      files.items.add(new File([new Uint8Array(21 * 1024 * 1024)], "film.mp4", { type: "video/mp4" }));
      input.files = files.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    })()`);
    await page.getByRole("alert").waitFor();
  }),
  signedIn("somebody being mentioned", GROUP, async (page) => {
    await field(page).pressSequentially("@");
    // Cards in the conversation have options, too.
    await page.getByRole("listbox").getByRole("option").first().waitFor();
  }),
  signedIn("the account's menu", GROUP, async (page) => {
    await page.locator("header button[aria-haspopup=menu]").click();
    await page.getByRole("menu").waitFor();
  }),
  signedIn("the bots", GROUP, async (page) => {
    await page.locator("section header button").last().click();
    await page.getByRole("dialog").getByRole("row").nth(1).waitFor();
  }),
  signedIn("a sign-in picture to be scanned", GROUP, async (page) => {
    await page.locator("body header button").first().click();
    await page.getByRole("dialog").locator("input").fill("not a code");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("alert").waitFor();
  }),
  signedIn("a sign-in picture that is not good", "/qr/login#token=0123456789abcdef", (page) =>
    page.getByRole("dialog").getByRole("alert").waitFor(),
  ),
];
