import type { VisitorAuthBody } from "@portico/protocol";
import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { memberText } from "@portico/protocol/json-member";
import {
  findVisitor,
  findVisitorByThirdUserId,
  insertVisitor,
  toVisitor,
  updateVisitor,
  type VisitorProfile,
} from "../../../domain/customer-service/visitor-store.ts";
import { issueVisitorToken } from "../../../domain/customer-service/visitor-tokens.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { brokenRule, wrongField } from "../../../platform/errors/refusal.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { Call, OpenRoute } from "../gate/open-route.ts";

/** The most bytes of JSON that an integrator may store with a visitor. */
const MAX_EXTRA_BYTES = 8 * 1024;

/**
 * POST /api/open/v1/visitor/auth: creates a visitor for the integrator's user, or updates it, and issues a token for
 * the widget.
 */
export const authVisitor: OpenRoute<typeof OPEN_ENDPOINTS.authVisitor> = {
  endpoint: OPEN_ENDPOINTS.authVisitor,
  holdsJsonText: true,
  lane: ({ app, body }) => `visitor-auth:${app.appId}:${body.thirdUserId}`,
  async handle(_ctx, tx, call) {
    const { app, body, now } = call;
    const profile = readProfile(call);
    if (typeof body.appId === "string" && body.appId !== "" && body.appId !== app.appId) {
      throw brokenRule("other-application", { pointer: "/appId" });
    }
    const { visitorId, isNew } = await keepVisitor(tx, call, profile);
    const token = await issueVisitorToken(tx, visitorId, now);
    if (token === null) throw brokenRule("visitor-disabled", { pointer: "/thirdUserId" });
    const visitor = await findVisitor(tx, app.appId, visitorId);
    if (visitor === null) throw new Error("a visitor who was just kept is not there");
    return { ...toVisitor(visitor, now), isNew, ...token };
  },
};

/** Inserts the visitor if there is none; of concurrent calls, one inserts. */
async function keepVisitor(
  tx: Db,
  { app: { appId }, body: { thirdUserId }, now }: Call<VisitorAuthBody, unknown>,
  profile: VisitorProfile,
): Promise<{ visitorId: string; isNew: boolean }> {
  const visitorId = newId("v");
  const known = await findVisitorByThirdUserId(tx, appId, thirdUserId);
  if (known === null && (await insertVisitor(tx, { visitorId, appId, thirdUserId, now, ...profile }))) {
    return { visitorId, isNew: true };
  }
  const existing = known ?? (await findVisitorByThirdUserId(tx, appId, thirdUserId));
  if (existing === null) throw new Error("a visitor is neither there nor can be made");
  await updateVisitor(tx, existing.visitorId, { now, ...profile });
  return { visitorId: existing.visitorId, isNew: false };
}

/** The visitor data in the call; absent and null fields do not change. */
function readProfile({ body, rawBody }: Call<VisitorAuthBody, unknown>): VisitorProfile {
  const profile: VisitorProfile = {};
  for (const name of ["nickname", "avatar", "phone", "email"] as const) {
    const given = body[name];
    if (typeof given === "string") profile[name] = given;
  }
  if (typeof body.extra === "object" && body.extra !== null) {
    // The original text, so that parsing does not change a number.
    const extra = memberText(rawBody.toString("utf8"), "extra") ?? "{}";
    if (Buffer.byteLength(extra) > MAX_EXTRA_BYTES) {
      const expected = `of at most ${MAX_EXTRA_BYTES} bytes of JSON`;
      throw wrongField("extra", "VISITOR_EXTRA_TOO_LONG", { problem: "length", expected });
    }
    profile.extra = extra;
  }
  return profile;
}
