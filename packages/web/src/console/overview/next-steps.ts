import { EVENT_SCOPES, type Scope } from "@portico/protocol";
import type { KeysOf } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import type { Progress } from "./overview-queries.ts";
import type { OVERVIEW } from "./words.ts";

/** A step on the way from nothing to an application that works (docs/contract/applications.md). */
export interface NextStep {
  key: string;
  word: KeysOf<typeof OVERVIEW>;
  hint: KeysOf<typeof OVERVIEW>;
  /** The page where it is done, below the application's address, or a place on the overview. */
  to: string;
  isDone: boolean;
}

/** What an application of a type asks for to do what most are made for. */
const SCOPES_NEEDED: Record<AppDetail["type"], readonly Scope[]> = {
  BOT: ["bot.message.send", "bot.message.reply", EVENT_SCOPES["im.message.receive_v1"]],
  CUSTOMER_SERVICE: ["customer.visitor.manage", "customer.session.manage", "customer.message.send"],
  MINI_PROGRAM: [],
};

/** The steps of an application's type, in their order. */
export function nextSteps(app: AppDetail, progress: Progress): NextStep[] {
  const held = new Set(app.scopes.filter(({ state }) => state !== "NONE").map(({ scope }) => scope));
  const store = step("store", "credentials", true);
  const profile = step("profile", "#profile", hasProfile(app));
  const scopes = step(
    "scopes",
    "scopes",
    SCOPES_NEEDED[app.type].every((scope) => held.has(scope)),
  );
  const subscribe = step("subscribe", "events", progress.isSubscribed);
  const review = step("review", "#review", app.status === "ACTIVE" || app.status === "DISABLED");
  switch (app.type) {
    case "BOT":
      return [
        store,
        profile,
        scopes,
        subscribe,
        review,
        step("install", "installations", progress.isInstalled),
        step("send", "requests", progress.hasCalled),
      ];
    case "CUSTOMER_SERVICE":
      return [
        store,
        profile,
        scopes,
        subscribe,
        review,
        step("staff", "agents", progress.hasAgents),
        step("call", "requests", progress.hasCalled),
      ];
    case "MINI_PROGRAM":
      return [store, profile, review, step("call", "requests", progress.hasCalled)];
  }
}

/** A picture or a description is enough, and whoever has submitted the application wants neither. */
function hasProfile({ avatar, description, status }: AppDetail): boolean {
  return avatar !== "" || description !== "" || status !== "UNPUBLISHED";
}

type StepName = "store" | "profile" | "scopes" | "subscribe" | "review" | "install" | "send" | "staff" | "call";

function step(name: StepName, to: string, isDone: boolean): NextStep {
  return { key: name, word: `step_${name}`, hint: `hint_${name}`, to, isDone };
}
