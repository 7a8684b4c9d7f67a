import type { Logger } from "pino";
import type { DeveloperOidc } from "../../../platform/config/oidc-settings.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import { RaceLost } from "../../../platform/storage/savepoint.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import { recordChange } from "../../audit/audit-store.ts";
import { differencesOf } from "../../audit/differences.ts";
import {
  findDeveloper,
  findDeveloperByNumber,
  insertDeveloper,
  lockDevelopers,
  updateDeveloper as update,
} from "../../directory/developer-store.ts";
import { beginSession, type DeveloperSessionParts, type Session } from "../developer-session.ts";
import { hashOfToken } from "../refresh-tokens.ts";
import { addDeveloperIdentity, findDeveloperOfIdentity, hasDeveloperIdentity, useFlow } from "./identity-store.ts";
import { OidcProblem } from "./oidc-problem.ts";
import { isLastOperator, lockOperators, operatorBy, saysOperator } from "./operator-claim.ts";
import { putOperatorUntil } from "./operator-lapse.ts";
import type { VouchedSignIn } from "./sign-in-member.ts";

/** The channel whose phone numbers the provider knows. */
const CHANNEL = 1;

/**
 * Signs in the developer whom the provider names; the first time, the one of that phone number if there may be a link, or a
 * new one, who belongs to no tenant. The last operator who can sign in stays one, whatever the claims are.
 *
 * @throws OidcProblem when nobody can be signed in.
 */
export async function signInDeveloper(
  ctx: DeveloperSessionParts & { log: Pick<Logger, "warn"> },
  settings: DeveloperOidc,
  signIn: VouchedSignIn,
): Promise<Session> {
  const { person, flow, origin } = signIn;
  const now = ctx.clock.now();
  const { session, developerId, isKept } = await ctx.storage.write(async (tx) => {
    if (!(await useFlow(tx, hashOfToken(flow.nonce), flow.expiresAt)))
      throw new OidcProblem("USED", "a second callback");
    const audited = { tx, address: origin.address, now };
    const known = await findDeveloperOfIdentity(tx, person);
    const developerId = known ?? (await firstSeen(settings, signIn, audited));
    if ((await findDeveloper(tx, developerId))?.operator && !operatorBy(settings, signIn, true))
      await lockOperators(tx);
    await lockDevelopers(tx, [developerId]);
    const developer = await findDeveloper(tx, developerId);
    if (developer === null) throw new RaceLost("the developer was removed meanwhile");
    if (developer.disabled) throw new OidcProblem("DISABLED", developerId);
    const before = { name: developer.name, operator: developer.operator };
    const operator = operatorBy(settings, signIn, before.operator);
    const isKept = before.operator && !operator && (await isLastOperator(tx, developer, person.issuer));
    if (saysOperator(settings, signIn)) {
      // The last one who can sign in stays one until somebody else can: that is asked each minute.
      const keptUntil = isKept ? now : null;
      await putOperatorUntil(tx, developerId, operator ? now + settings.operatorClaimLifeMs : keptUntil);
    }
    const differences = differencesOf(before, {
      name: person.name ?? before.name,
      operator: operator || isKept,
    });
    if (differences !== null) {
      await update(tx, { ...before, ...differences.after, developerId, disabled: false });
      await record(audited, { action: "developer.update", developerId, ...differences });
    }
    const session = await beginSession(ctx, tx, { developerId, origin, method: "oidc" });
    if (session === null) throw new RaceLost("the developer was disabled meanwhile");
    return { session, developerId, isKept };
  }, `sign-in of ${person.issuer} ${person.subject}`);
  if (isKept) {
    ctx.log.warn(
      { developerId, claim: settings.operatorClaim?.name },
      "the provider does not say that this developer is an operator: they stay one, because no other operator could sign in",
    );
  }
  return session;
}

interface Audited {
  tx: Db;
  address: string;
  now: number;
}

/** The developer for somebody whom the provider names for the first time. */
async function firstSeen(
  { link, create }: DeveloperOidc,
  { person, unasked }: VouchedSignIn,
  audited: Audited,
): Promise<string> {
  const { tx, now } = audited;
  const { phone, issuer } = person;
  if (phone === null) throw unasked ?? new OidcProblem("CLAIMS_INCOMPLETE", "no phone number that can be kept");
  const namesake = await findDeveloperByNumber(tx, CHANNEL, phone);
  const developerId = namesake ?? newId("dev");
  if (namesake !== null) {
    if (await hasDeveloperIdentity(tx, developerId, issuer)) {
      throw new OidcProblem("NAME_TAKEN", `${developerId} is another person`);
    }
    if (!link) throw new OidcProblem("NAME_TAKEN", `${developerId} is not linked`);
  } else {
    if (!create) throw new OidcProblem("UNKNOWN_PERSON", "no developer with the phone number");
    const name = person.name ?? person.username ?? phone;
    const developer = { developerId, phone, channelId: CHANNEL, name, operator: false, disabled: false };
    if (!(await insertDeveloper(tx, developer, null))) throw new RaceLost("the phone number was taken meanwhile");
    const after = { ...developer, tenants: [], password: "none" };
    await record(audited, { action: "developer.create", developerId, before: null, after });
  }
  if (!(await addDeveloperIdentity(tx, developerId, person, now))) throw new RaceLost("somebody was first");
  const after = { issuer, subject: person.subject };
  await record(audited, { action: "developer.link", developerId, before: null, after });
  return developerId;
}

async function record(
  { tx, address, now }: Audited,
  { developerId, ...change }: { action: string; developerId: string; before: object | null; after: object | null },
): Promise<void> {
  const actor = { type: "SYSTEM", id: "oidc", address } as const;
  await recordChange(tx, actor, { ...change, target: `developer:${developerId}` }, now);
}
