/** Application types; the type decides which scopes an application may hold (docs/contract/applications.md). */
export const APP_TYPES = ["BOT", "CUSTOMER_SERVICE", "MINI_PROGRAM"] as const;
export type AppType = (typeof APP_TYPES)[number];

/** States of an application. Signed calls are accepted only while it is ACTIVE. */
export const APP_STATES = ["UNPUBLISHED", "IN_REVIEW", "ACTIVE", "DISABLED"] as const;
export type AppState = (typeof APP_STATES)[number];

interface ScopeInfo {
  /** Granted to every application of the type without a request. */
  defaultGranted: boolean;
  risk: "low" | "high";
  appType: AppType;
}

/** All scopes (docs/contract/applications.md#scopes). */
export const SCOPES = {
  "customer.agent.read": { defaultGranted: true, risk: "low", appType: "CUSTOMER_SERVICE" },
  "bot.profile.read": { defaultGranted: true, risk: "low", appType: "BOT" },
  "bot.installation.read": { defaultGranted: true, risk: "low", appType: "BOT" },
  "customer.visitor.manage": { defaultGranted: false, risk: "high", appType: "CUSTOMER_SERVICE" },
  "customer.session.manage": { defaultGranted: false, risk: "high", appType: "CUSTOMER_SERVICE" },
  "customer.message.send": { defaultGranted: false, risk: "high", appType: "CUSTOMER_SERVICE" },
  "customer.message.read": { defaultGranted: false, risk: "high", appType: "CUSTOMER_SERVICE" },
  "bot.message.send": { defaultGranted: false, risk: "high", appType: "BOT" },
  "bot.message.reply": { defaultGranted: false, risk: "high", appType: "BOT" },
  "event.bot.message": { defaultGranted: false, risk: "high", appType: "BOT" },
  "event.customer.message": { defaultGranted: false, risk: "high", appType: "CUSTOMER_SERVICE" },
  "event.customer.session": { defaultGranted: false, risk: "high", appType: "CUSTOMER_SERVICE" },
  "event.customer.agent": { defaultGranted: false, risk: "low", appType: "CUSTOMER_SERVICE" },
} as const satisfies Record<string, ScopeInfo>;

export type Scope = keyof typeof SCOPES;

/** All scope names, in the table's order. */
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** Whether `name` is a scope. */
export function isScope(name: string): name is Scope {
  return Object.hasOwn(SCOPES, name);
}

/** Whether an application of `type` may hold `scope`. */
export function scopeAllowedFor(scope: Scope, type: AppType): boolean {
  return SCOPES[scope].appType === type;
}

/** The scopes that a new application of `type` has. */
export function defaultScopes(type: AppType): Scope[] {
  return SCOPE_NAMES.filter((name) => SCOPES[name].defaultGranted && SCOPES[name].appType === type);
}
