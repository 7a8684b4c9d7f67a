import type { Page } from "playwright-core";
import {
  BOT,
  type ConsoleScene,
  type ConsoleStage,
  developer,
  press,
  SERVICE,
  scene,
  sceneOf,
  signIn,
} from "./console-scene.ts";
import { EVENT_SCENES } from "./event-scenes.ts";
import { OPERATOR_SCENES } from "./operator-scenes.ts";

const PAGES = [
  "overview",
  "credentials",
  "scopes",
  "events",
  "deliveries",
  "requests",
  "card-templates",
  "installations",
  "statistics",
  "api-explorer",
  "audit-log",
];

/** So soon a page that is live says that it is cut off. */
const SAID_WITHIN_MS = 20_000;

/** Every page of the console, and every state of it that looks otherwise; those of nobody signed in first. */
export const CONSOLE_SCENES: readonly ConsoleScene[] = [
  { name: "console-sign-in", show: (page) => page.goto("/console/") },
  { name: "console-sign-in-refused", show: refuseSignIn },
  { name: "console-sign-in-qr", show: qrSignIn },
  { name: "console-apps-empty", show: newcomer },
  scene("console-apps", "/console/apps"),
  scene("console-apps-new", "/console/apps", (page) => press(page, "New application", "新建应用")),
  scene("console-apps-none-found", "/console/apps?search=nothing"),
  { name: "console-apps-unreachable", show: unreachable },
  scene("console-sessions", "/console/sessions"),
  scene("console-sessions-end-all", "/console/sessions", (page) => press(page, "Sign out everywhere", "退出全部登录")),
  scene("console-security", "/console/security"),
  scene("console-security-password", "/console/security", (page) => press(page, "Change password", "修改密码")),
  scene("console-security-secret", "/console/security", beginFactor),
  scene("console-account-menu", "/console/apps", (page) => press(page, "Account", "账号")),
  scene("console-unknown-app", "/console/apps/app_nowhere/overview"),
  scene("console-unknown-page", "/console/nowhere"),
  ...PAGES.map((path) => scene(`app-${path}`, `${BOT}/${path}`)),
  ...PAGES.map((path) => sceneOf(`new-app-${path}`, ({ newAppId }) => `/console/apps/${newAppId}/${path}`)),
  sceneOf("refused-app-overview", ({ refusedAppId }) => `/console/apps/${refusedAppId}/overview`),
  sceneOf("disabled-app-overview", ({ disabledAppId }) => `/console/apps/${disabledAppId}/overview`),
  scene("app-overview-edit", `${BOT}/overview`, (page) => press(page, "Edit", "编辑")),
  scene("app-overview-rehearse", `${BOT}/overview`, (page) => press(page, "Rehearse", "开始演练")),
  scene("app-credentials-rotate", `${BOT}/credentials`, (page) => press(page, "Rotate", "轮换")),
  scene("app-credentials-offline", `${BOT}/credentials`, rotateOffline),
  scene("app-scopes-withdraw", `${BOT}/scopes`, (page) => press(page, "Withdraw", "撤回")),
  ...EVENT_SCENES,
  scene("app-deliveries-open", `${BOT}/deliveries?status=FAILED`, openRow),
  scene("app-deliveries-range", `${BOT}/deliveries`, (page) => press(page, "Send a range again", "按时间段重推")),
  scene("app-deliveries-none-found", `${BOT}/deliveries?status=EXHAUSTED`),
  scene("app-deliveries-offline", `${BOT}/deliveries`, goOffline),
  {
    name: "app-request-explained",
    show: (page, stage) => developer(page, stage, `${BOT}/requests?reqNo=${stage.refusedReqNo}`),
  },
  scene("app-requests-open", `${BOT}/requests?status=403`, openRow),
  scene("app-requests-own-range", `${BOT}/requests?from=1767225600000&to=1767229200000`),
  scene("app-card-new", `${BOT}/card-templates/new?example=approval`),
  sceneOf("app-card-studio", ({ templateId }) => `${BOT}/card-templates/${templateId}`),
  sceneOf(
    "app-card-versions",
    ({ templateId }) => `${BOT}/card-templates/${templateId}`,
    (page) => press(page, "Versions", "历史版本"),
  ),
  sceneOf(
    "app-card-examples",
    ({ templateId }) => `${BOT}/card-templates/${templateId}`,
    (page) => press(page, "Examples", "示例"),
  ),
  scene("app-installations-uninstall", `${BOT}/installations`, (page) => press(page, "Uninstall", "卸载")),
  scene("app-statistics-hour", `${BOT}/statistics?range=1h`),
  scene("app-api-explorer-upload", `${BOT}/api-explorer?call=uploadFile`),
  scene("app-audit-log-open", `${BOT}/audit-log`, openRow),
  ...["overview", "scopes", "events", "agents", "visitors", "widget", "service", "canned-replies", "api-explorer"].map(
    (path) => scene(`service-${path}`, `${SERVICE}/${path}`),
  ),
  scene("service-canned-replies-new", `${SERVICE}/canned-replies`, (page) => press(page, "New reply", "新建回复")),
  ...["service", "canned-replies"].map((path) =>
    sceneOf(`new-service-${path}`, ({ newServiceId }) => `/console/apps/${newServiceId}/${path}`),
  ),
  scene("service-widget-edit", `${SERVICE}/widget`, (page) => press(page, "Edit sites", "编辑网站")),
  scene("service-widget-hours", `${SERVICE}/widget`, async (page) => {
    await page.getByRole("radio", { name: /^(At certain hours|指定时间)$/ }).check();
  }),
  scene("service-visitors-open", `${SERVICE}/visitors`, (page) => press(page, "Details", "详情")),
  scene("service-visitors-erase", `${SERVICE}/visitors`, async (page) => {
    await press(page, "Details", "详情");
    await press(page, "Erase", "清除");
  }),
  scene("service-visitors-none-found", `${SERVICE}/visitors?search=nobody`),
  scene("mini-program-overview", "/console/apps/app_demo_mini/overview"),
  scene("operator-refused", "/console/operator/reviews"),
  ...OPERATOR_SCENES,
];

async function openRow(page: Page): Promise<void> {
  await page.locator("main button[aria-expanded=false]").last().click();
}

async function newcomer(page: Page, { console: { newcomer: account } }: ConsoleStage): Promise<void> {
  await page.goto("/console/apps");
  await signIn(page, account);
  await page.locator("h1").waitFor();
  // The scenes that follow are another person's.
  await page.context().clearCookies();
}

async function refuseSignIn(page: Page, { service }: ConsoleStage): Promise<void> {
  await page.goto("/console/");
  await page.locator("input[autocomplete=username]").fill(service.developer.phone);
  await page.locator("input[type=password]").fill("not the password");
  await page.locator("button[type=submit]").click();
  await page.getByRole("alert").waitFor();
}

async function qrSignIn(page: Page): Promise<void> {
  await page.goto("/console/");
  await page.locator("[role=tab]").last().click();
  await page.locator("[role=tabpanel] img").waitFor();
}

async function unreachable(page: Page, stage: ConsoleStage): Promise<void> {
  await page.route(/\/console\/v1\/apps\?/, (route) => route.abort());
  await developer(page, stage, "/console/apps");
  await page.getByRole("alert").waitFor();
}

async function goOffline(page: Page): Promise<void> {
  await page.locator("table").waitFor();
  await page.context().setOffline(true);
  // The page tries more than once before it says so.
  await page.getByRole("alert").waitFor({ timeout: SAID_WITHIN_MS });
}

async function rotateOffline(page: Page): Promise<void> {
  await press(page, "Rotate", "轮换");
  await page.context().setOffline(true);
  await page.getByRole("dialog").locator("button.ant-btn-primary").click();
  await page.getByRole("alert").waitFor();
}

/** As far as the secret, which counts for nothing until its first code was entered. */
async function beginFactor(page: Page): Promise<void> {
  await page.route("**/me/second-factor", (route) =>
    route.request().method() === "POST" ? route.fulfill({ json: MADE_UP_SECRET }) : route.continue(),
  );
  await press(page, "Turn on", "开启");
  await page.locator("input[type=password]").fill("any password");
  await page.locator("[role=dialog] button.ant-btn-primary").click();
  await page.locator("input[autocomplete=one-time-code]").waitFor();
}

/** What the service answers; the picture is one of its size. */
const MADE_UP_SECRET = {
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/Portico:13800000000?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  qrImage: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="168" height="168"/>')}`,
};
