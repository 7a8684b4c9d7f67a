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
export async function signInToMessenger(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.goto("/messenger/");
  await page.getByLabel("Organisation").fill("t_demo");
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("list", { name: "Conversations" }).waitFor();
}
