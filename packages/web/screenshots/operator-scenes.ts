import type { Page } from "playwright-core";
import { type Act, type ConsoleScene, openAs, press } from "./console-scene.ts";

const HEADER = "username,name,password,phone";
/** A list of members in which some lines are wrong; each time of others, as the last ones may have been imported. */
function memberList(): string {
  lists++;
  return [
    HEADER,
    `dora${lists},Dora Diaz,correct horse battery,13900000031`,
    `emil${lists},安敏,correct horse battery,`,
    "fay,Fay,short,13900000033",
    "two words,Two,correct horse battery,",
    `dora${lists},Dora again,correct horse battery,`,
    "gil,Gil",
    "alice,Alice,correct horse battery,",
  ].join("\n");
}
let lists = 0;

/** The operators' pages, and every state of them that looks otherwise. */
export const OPERATOR_SCENES: readonly ConsoleScene[] = [
  scene("reviews", "reviews"),
  scene("reviews-reject", "reviews", (page) => press(page, "Reject", "驳回")),
  scene("reviews-decided", "reviews?state=REJECTED"),
  scene("reviews-none", "reviews?state=WITHDRAWN"),
  scene("applications", "applications"),
  scene("applications-open", "applications?open=app_demo_bot&search=demo"),
  scene("applications-quota", "applications?open=app_demo_bot&search=demo", (page) =>
    press(page, "Edit quota", "调整配额"),
  ),
  scene("applications-disable", "applications", (page) => press(page, "Disable", "停用")),
  scene("tenants", "tenants"),
  scene("tenants-new", "tenants", (page) => press(page, "New tenant", "新建组织")),
  scene("tenants-open", "tenants?open=t_demo", makeToken),
  scene("tenants-token-made", "tenants?open=t_demo", async (page) => {
    await makeToken(page, { isStored: false });
  }),
  scene("members", "members"),
  scene("members-open", "members", (page) => press(page, "Details", "详情")),
  scene("members-export", "members", async (page) => {
    await press(page, "Details", "详情");
    await press(page, "Export data", "导出数据");
  }),
  scene("members-erase", "members", askToErase),
  scene("members-erase-misspelt", "members", async (page) => {
    await askToErase(page);
    await page.getByRole("dialog").getByRole("textbox").fill("nobody");
    await page.getByRole("dialog").locator("button.ant-btn-primary").click();
  }),
  scene("members-erasing", "members", (page) => erase(page, "RUNNING")),
  scene("members-erased", "members", (page) => erase(page, "DONE")),
  scene("members-new", "members", (page) => press(page, "New member", "新建成员")),
  scene("members-reset", "members", (page) => press(page, "Reset password", "重置密码")),
  scene("members-import", "members", (page) => press(page, "Import", "导入")),
  scene("members-import-checked", "members", checkFile),
  scene("members-import-done", "members", importFile),
  scene("members-none", "members?tenant=t_empty"),
  scene("groups-open", "groups?open=g_demo"),
  scene("developers", "developers"),
  scene("developers-new", "developers", (page) => press(page, "New developer", "新建开发者")),
  scene("audit-log", "audit-log"),
  scene("audit-log-export", "audit-log", (page) => press(page, "Export", "导出")),
  scene("health", "health"),
  scene("health-unreachable", "health", loseHealth),
];

function scene(name: string, path: string, act?: Act): ConsoleScene {
  return {
    name: `operator-${name}`,
    async show(page, { service }) {
      await openAs(page, service.operator, `/console/operator/${path}`);
      await act?.(page);
    },
  };
}

/** Makes a token for a directory, and stores it. */
async function makeToken(page: Page, { isStored } = { isStored: true }): Promise<void> {
  await press(page, "New token", "新建令牌");
  await page.getByRole("dialog").getByRole("textbox").fill("Entra ID");
  await page.getByRole("dialog").locator("button.ant-btn-primary").click();
  const stored = page
    .getByRole("button", { name: "I have stored it" })
    .or(page.getByRole("button", { name: "我已保存" }));
  await stored.waitFor();
  if (isStored) await stored.click();
}

async function askToErase(page: Page): Promise<void> {
  await press(page, "Details", "详情");
  await press(page, "Erase", "清除");
}

/** Answers as an erasure would, so that nobody is missing in the next picture. */
async function erase(page: Page, state: "RUNNING" | "DONE"): Promise<void> {
  const isDone = state === "DONE";
  const answer = {
    ...{ userId: "u_alice", state, progress: isDone ? 100 : 42, startedAt: Date.now() - 9_000 },
    finishedAt: isDone ? Date.now() - 2_000 : null,
    erased: {
      ...{ messages: 1_204, mentions: 31, files: 18, cardActions: 7, customerMessages: 0 },
      ...{ deliveries: 96, requests: 3, auditEntries: 12 },
    },
  };
  await page.route(/\/(erase|erasure)$/, (route) => route.fulfill({ json: answer }));
  await askToErase(page);
  const dialog = page.getByRole("dialog");
  const label = (await dialog.locator("label").first().innerText()).match(/[“「](.*)[”」]/);
  await dialog.getByRole("textbox").fill(label?.[1] ?? "");
  await dialog.locator("button.ant-btn-primary").click();
  await dialog.getByRole("status").waitFor();
}

async function checkFile(page: Page): Promise<void> {
  await press(page, "Import", "导入");
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "members.csv", mimeType: "text/csv", buffer: Buffer.from(memberList()) });
  await page.getByRole("dialog").locator("section").waitFor();
}

async function importFile(page: Page): Promise<void> {
  await checkFile(page);
  await page.getByRole("dialog").locator("button.ant-btn-primary").click();
  await page
    .getByRole("button", { name: "Done" })
    .or(page.getByRole("button", { name: "完成" }))
    .waitFor();
}

async function loseHealth(page: Page): Promise<void> {
  await page.route(/\/v1\/operator\/health/, (route) => route.abort());
  await page.reload();
  await page.getByRole("alert").waitFor();
}
