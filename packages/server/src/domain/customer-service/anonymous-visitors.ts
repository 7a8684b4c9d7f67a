import { ApiError } from "@portico/protocol";
import type { AnonymousVisitor, WidgetLocale } from "@portico/protocol/schemas";
import { newId } from "../../platform/crypto/new-id.ts";
import type { Db } from "../../platform/storage/schema.ts";
import { issueVisitorKey, lockVisitorOfKey } from "./visitor-keys.ts";
import { insertVisitor } from "./visitor-store.ts";
import { issueVisitorToken } from "./visitor-tokens.ts";

/** Begins the `thirdUserId` of visitors whom no integrator knows. */
const NO_INTEGRATORS = "anonymous:";

/** The last characters of the id, which tell such visitors apart at the desk. */
const MARK_LENGTH = 4;

/** Whether a visitor with this `thirdUserId` came without a name. */
export function isAnonymous(thirdUserId: string): boolean {
  return thirdUserId.startsWith(NO_INTEGRATORS);
}

/** Makes a visitor without a name, with a token and the key for further ones. */
export async function createAnonymousVisitor(
  tx: Db,
  { appId, locale, now }: { appId: string; locale: WidgetLocale; now: number },
): Promise<AnonymousVisitor> {
  const visitorId = newId("v");
  const mark = visitorId.slice(-MARK_LENGTH).toUpperCase();
  const nickname = locale === "zh-CN" ? `访客 ${mark}` : `Visitor ${mark}`;
  if (!(await insertVisitor(tx, { visitorId, appId, thirdUserId: NO_INTEGRATORS + visitorId, nickname, now }))) {
    throw new Error("the id of a new visitor is taken");
  }
  const token = await issueVisitorToken(tx, visitorId, now);
  if (token === null) throw new Error("a visitor who was just made is disabled");
  return { visitorId, isNew: true, ...token, visitorKey: await issueVisitorKey(tx, visitorId, now) };
}

/**
 * A further token for the visitor with this key, which stays the same: a page that is closed before it has the answer
 * must not lose its visitor.
 *
 * @throws ApiError 400001 when the key is not valid, 400101 when the visitor is disabled.
 */
export async function renewAnonymousVisitor(
  tx: Db,
  { appId, visitorKey, now }: { appId: string; visitorKey: string; now: number },
): Promise<AnonymousVisitor> {
  const visitor = await lockVisitorOfKey(tx, appId, visitorKey, now);
  if (visitor === null) throw new ApiError("VISITOR_KEY_UNKNOWN");
  const { visitorId } = visitor;
  const token = await issueVisitorToken(tx, visitorId, now);
  if (token === null) throw new ApiError("VISITOR_DISABLED");
  return { visitorId, isNew: false, ...token, visitorKey };
}
