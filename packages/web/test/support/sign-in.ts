import assert from "node:assert/strict";
import { bearerExchange, createApiClient } from "@portico/protocol/client";
import { CLIENT_ENDPOINTS } from "@portico/protocol/endpoints";
import type { Page } from "playwright-core";
import type { DemoService } from "./demo-service.ts";

/** Signs in to the console as a person does. */
export async function signInToConsole(page: Page, { phone, password }: DemoService["developer"]): Promise<void> {
  await page.goto("/console/");
  await page.getByLabel("Phone number").fill(phone);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Applications" }).waitFor();
}

/** Signs in to the messenger as a person does. */
export async function signInToMessenger(page: Page, person: { username: string; password: string }): Promise<void> {
  await page.goto("/messenger/");
  await fillMemberSignIn(page, person);
  await page.getByRole("list", { name: "Conversations" }).waitFor();
}

/**
 * Opens a page of the console as a developer whose browser has the refresh cookie. It costs a third of signing in by the
 * form, which the tests of signing in do.
 */
export async function openConsole(
  page: Page,
  { phone, password, channelId }: DemoService["developer"],
  path = "/console/",
): Promise<void> {
  const answer = await page.request.post("/api/open/console/v1/auth/login", { data: { phone, password, channelId } });
  assert.ok(answer.ok(), await answer.text());
  await page.goto(path);
}

/** Opens the messenger as a member whose browser has the refresh cookie. */
export async function openMessenger(page: Page, person: { username: string; password: string }): Promise<void> {
  const { username, password } = person;
  const answer = await page.request.post("/api/client/v1/auth/login", {
    data: { tenantId: "t_demo", username, password },
  });
  assert.ok(answer.ok(), await answer.text());
  await page.goto("/messenger/");
}

/** Signs in to the desk as a person does. */
export async function signInToDesk(page: Page, person: { username: string; password: string }): Promise<void> {
  await page.goto("/desk/");
  await fillMemberSignIn(page, person);
  await page.getByRole("list", { name: "Waiting" }).waitFor({ state: "attached" });
}

/** Opens the desk as an agent whose browser has the refresh cookie. */
export async function openDesk(page: Page, person: { username: string; password: string }): Promise<void> {
  const { username, password } = person;
  const answer = await page.request.post("/api/client/v1/auth/login", {
    data: { tenantId: "t_demo", username, password },
  });
  assert.ok(answer.ok(), await answer.text());
  await page.goto("/desk/");
  await page.getByRole("list", { name: "Waiting" }).waitFor({ state: "attached" });
}

/** Signs in on the page of members that is shown. */
export async function fillMemberSignIn(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel("Organisation").fill("t_demo");
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Ends all logins of a member, as from another device. */
export async function endMemberLogins(service: DemoService, name: string): Promise<void> {
  const { username, password } = service.member(name);
  const baseUrl = service.url;
  const anybody = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl }));
  const { accessToken: token } = await anybody.login({ body: { tenantId: "t_demo", username, password } });
  await createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl, token })).endAllSessions();
}
