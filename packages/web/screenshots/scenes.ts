import type { Page } from "playwright-core";
import { DESK_STATES } from "../test/support/desk-states.ts";
import { STATES, type State } from "../test/support/messenger-states.ts";
import { openMessenger } from "../test/support/sign-in.ts";
import type { ConsoleStage } from "./console-scene.ts";
import { CONSOLE_SCENES } from "./console-scenes.ts";
import { DOCS_SCENES } from "./docs-scenes.ts";

/** What a scene may use. */
export type Stage = ConsoleStage;

/** A page in a state. Names of roles differ by language, so scenes go by addresses and by what stands in fixed places. */
export interface Scene {
  name: string;
  show(page: Page, stage: Stage): Promise<unknown>;
}

/** All scenes, the signed-out ones first. A context keeps its logins, so each person signs in once. */
export const SCENES: readonly Scene[] = [
  ...DESK_STATES.filter(({ isSignedIn }) => !isSignedIn).map(deskScene),
  ...STATES.map(sceneOf),
  ...DESK_STATES.filter(({ isSignedIn }) => isSignedIn).map(deskScene),
  ...DOCS_SCENES,
  ...CONSOLE_SCENES,
];

/** A state of the desk. Messenger and desk share a login, and the messenger's member is no agent. */
function deskScene({ name, path, isSignedIn, show }: State): Scene {
  return {
    name: `desk-${name.replaceAll(/[^a-z]+/g, "-")}`,
    async show(page, { service }) {
      if (isSignedIn) await openMessenger(page, service.member("bob"));
      await page.goto(path);
      await show(page);
    },
  };
}

/** A state that the tests of accessibility look at, too. */
function sceneOf({ name, path, isSignedIn, show }: State): Scene {
  return {
    name: `messenger-${name.replaceAll(/[^a-z]+/g, "-")}`,
    async show(page, stage) {
      if (isSignedIn) await messenger(page, stage, path);
      else await page.goto(path);
      await show(page);
    },
  };
}

async function messenger(page: Page, { service }: Stage, path: string): Promise<void> {
  await page.goto(path);
  const organisation = page.locator("input[autocomplete=organization]");
  await organisation.or(page.locator("main#content")).first().waitFor();
  if (!(await organisation.isVisible())) return;
  await organisation.fill("t_demo");
  await page.locator("input[autocomplete=username]").fill("alice");
  await page.locator("input[type=password]").fill(service.member("alice").password);
  await page.locator("button[type=submit]").click();
  await page.locator("main#content").waitFor();
}
