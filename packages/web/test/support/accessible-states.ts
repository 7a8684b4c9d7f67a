import { after, before, describe, it } from "node:test";
import { seed } from "../../screenshots/seed.ts";
import { seedDesk } from "../../screenshots/seed-desk.ts";
import { assertAccessible, assertAccessibleInItsTheme } from "./accessibility.ts";
import { NO_BROWSER } from "./browser.ts";
import type { DemoService } from "./demo-service.ts";
import { DemoWorld } from "./demo-world.ts";
import { DESK_STATES } from "./desk-states.ts";
import { STATES, type State } from "./messenger-states.ts";
import { openMessenger } from "./sign-in.ts";
import type { Visit } from "./visit.ts";
import { becomeWindow, PHONE_FIRST, WINDOWS, windowsFor } from "./windows.ts";

/** Pages that members use. */
interface Area {
  name: string;
  states: readonly State[];
  /** Who is signed in. */
  username: string;
  prepare(service: DemoService): Promise<unknown>;
}

export const START_AND_MESSENGER: Area = {
  name: "start page and messenger",
  states: STATES,
  username: "alice",
  prepare: seed,
};

export const DESK: Area = { name: "the desk", states: DESK_STATES, username: "bob", prepare: seedDesk };

/**
 * Registers tests that axe-core finds no fault in any state of some pages, in either window. Two people look at all of them, a
 * visitor and a member: a browser that has been nowhere would load every file anew for each state.
 */
export function testStates({ name: area, states, username, prepare }: Area): void {
  describe(`${area} have no fault that axe-core finds`, { skip: NO_BROWSER }, () => {
    const world = new DemoWorld();
    let visitor: Visit | undefined;
    let member: Visit | undefined;
    before(async () => {
      await prepare(world.service);
      visitor = await world.visit(WINDOWS.desktop);
      member = await world.visit(WINDOWS.desktop);
      await openMessenger(member.page, world.service.member(username));
    });
    after(async () => {
      await visitor?.[Symbol.asyncDispose]();
      await member?.[Symbol.asyncDispose]();
    });

    for (const [index, { name, path, isSignedIn, isOfPhones = false, show }] of states.entries()) {
      it(name, async () => {
        const person = isSignedIn ? member : visitor;
        if (person === undefined) throw new Error("the people are there in tests alone");
        const { page, context } = person;
        const [first, second] = isOfPhones ? PHONE_FIRST : windowsFor(index);
        try {
          await becomeWindow(page, first);
          await page.goto(path);
          await show(page);
          if (isOfPhones) await assertAccessible(page);
          else await assertAccessibleInItsTheme(page);
          await becomeWindow(page, second);
          await assertAccessibleInItsTheme(page);
          await person.assertRulesKept();
        } finally {
          await context.setOffline(false);
          await page.unrouteAll();
        }
      });
    }
  });
}
