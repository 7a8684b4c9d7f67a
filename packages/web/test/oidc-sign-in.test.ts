import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import type { Browser, Page } from "playwright-core";
import { findFreePort } from "../../../scripts/test-services/free-port.ts";
import { assertAccessible } from "./support/accessibility.ts";
import { launchBrowser, NO_BROWSER } from "./support/browser.ts";
import { DemoService } from "./support/demo-service.ts";
import { type RunningProvider, startProvider } from "./support/oidc-provider.ts";

const ACCOUNTS = {
  alice: { name: "Alice of Acme", preferred_username: "alice", phone_number: "13700000001" },
  ops: { name: "Olga", preferred_username: "olga", phone_number: "13700000002", groups: ["portico-ops"] },
};
const OPERATOR_WAY = "Other ways to sign in";

/** Signs in at the provider's own pages, and agrees. */
async function signInThere(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

describe("signing in with a provider, in a browser", { skip: NO_BROWSER }, () => {
  let provider: RunningProvider;
  let service: DemoService;
  let browser: Browser;
  before(async () => {
    const port = await findFreePort();
    const callbacks = Object.values(SIGN_IN_PAGES).map(({ callback }) => `http://localhost:${port}${callback}`);
    provider = await startProvider(ACCOUNTS, callbacks);
    const of = (people: string, other: Record<string, string>) => ({
      [`PORTICO_OIDC_${people}_ISSUER`]: provider.issuer,
      [`PORTICO_OIDC_${people}_CLIENT_ID`]: "portico",
      [`PORTICO_OIDC_${people}_CLIENT_SECRET`]: "the secret of portico",
      [`PORTICO_OIDC_${people}_NAME`]: "Acme ID",
      [`PORTICO_OIDC_${people}_CREATE`]: "true",
      ...other,
    });
    service = await DemoService.start({
      PORTICO_PORT: String(port),
      PORTICO_OIDC_ALLOW_NETWORKS: "127.0.0.0/8",
      ...of("MEMBERS", { PORTICO_OIDC_MEMBERS_TENANTS: "t_demo", PORTICO_OIDC_MEMBERS_LINK: "true" }),
      ...of("DEVELOPERS", {
        PORTICO_OIDC_DEVELOPERS_ONLY: "true",
        PORTICO_OIDC_DEVELOPERS_OPERATOR_CLAIM: "groups=portico-ops",
      }),
    });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await provider?.stop();
  });
  /** A window that has been nowhere. */
  const open = async (locale = "en-US") => {
    const context = await browser.newContext({
      baseURL: service.url,
      locale,
      reducedMotion: "reduce",
      ignoreHTTPSErrors: true,
    });
    context.setDefaultTimeout(30_000);
    return { page: await context.newPage(), [Symbol.asyncDispose]: () => context.close() };
  };

  it("a member comes back to the page that was open, stays signed in after a reload, and signs out", async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.goto("/desk/?from=here");
    const link = page.getByRole("link", { name: "Sign in with Acme ID" });
    await link.waitFor();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    await assertAccessible(page);
    await link.click();
    await signInThere(page, "alice");
    await page.getByRole("button", { name: "Account" }).waitFor();
    const { pathname, search } = new URL(page.url());
    assert.equal(pathname + search, "/desk/?from=here");
    await page.goto("/messenger/");
    await page.getByRole("list", { name: "Conversations" }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("User name").waitFor();
    await page.reload();
    await page.getByLabel("User name").waitFor();
  });

  it("where it is the only way for developers, the form is behind a button, for operators", async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.goto("/console/");
    await page.getByRole("button", { name: OPERATOR_WAY }).waitFor();
    assert.equal(await page.getByLabel("Phone number").count(), 0);
    await assertAccessible(page);
    await page.getByRole("button", { name: OPERATOR_WAY }).click();
    await page.getByLabel("Phone number").fill(service.developer.phone);
    await page.getByLabel("Password", { exact: true }).fill(service.developer.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    assert.match(await page.getByRole("alert").innerText(), /provider/);
    await page.getByLabel("Phone number").fill(service.operator.phone);
    await page.getByLabel("Password", { exact: true }).fill(service.operator.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Applications" }).waitFor();
  });

  it("where no code can sign a developer in, none is offered", async () => {
    await using visitor = await open();
    const { page } = visitor;
    let qr = true;
    await page.route(/auth\/methods$/, async (route) => {
      const methods = await (await route.fetch()).json();
      await route.fulfill({ json: { ...methods, qr } });
    });
    const show = async () => {
      await page.goto("/console/");
      await page.getByRole("button", { name: OPERATOR_WAY }).click();
      await page.getByLabel("Phone number").waitFor();
    };
    await show();
    assert.equal(await page.getByRole("tab", { name: "QR code" }).count(), 1);
    qr = false;
    await page.goto("/console/");
    await page.getByText("By password, only for operators").waitFor();
    await show();
    assert.equal(await page.getByRole("tab").count(), 0);
    await assertAccessible(page);
  });

  it("a developer whose claim says so is an operator, in Chinese, too", async () => {
    await using visitor = await open("zh-CN");
    const { page } = visitor;
    await page.goto("/console/");
    await page.getByRole("link", { name: "使用 Acme ID 登录" }).click();
    await signInThere(page, "ops");
    await page.getByRole("heading", { name: "应用" }).waitFor();
    await page.goto("/console/operator/reviews");
    await page.getByRole("navigation", { name: "平台运营" }).waitFor();
  });

  it("a sign-in that the person breaks off at the provider is a page with the way back", async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.goto("/messenger/");
    await page.getByRole("link", { name: "Sign in with Acme ID" }).click();
    await page.getByRole("link", { name: /Cancel/ }).click();
    await page.getByRole("heading", { name: "The provider did not let the sign-in happen." }).waitFor();
    await assertAccessible(page);
    await page.getByRole("link", { name: "To the sign-in page" }).click();
    await page.getByLabel("Organisation").waitFor();
  });
});
