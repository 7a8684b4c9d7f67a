import type { ConcurrentIndex } from "../postgres/concurrent-index.ts";
import type { Db, Dialect } from "../schema.ts";
import { up as foundation } from "./0001-foundation.ts";
import { up as botMessages } from "./0002-bot-messages.ts";
import { up as events } from "./0003-events.ts";
import { up as developerConsole } from "./0004-console.ts";
import { up as consoleLife } from "./0005-console-life.ts";
import { up as customerService } from "./0006-customer-service.ts";
import { up as provisioned } from "./0007-provisioned.ts";
import { up as search } from "./0008-search.ts";
import { up as installationOrder } from "./0009-installation-order.ts";
import { up as sparePages } from "./0011-spare-pages.ts";
import { up as agentUserId } from "./0012-agent-user-id.ts";
import { up as memberLogins } from "./0013-member-logins.ts";
import { up as memberReads } from "./0014-member-reads.ts";
import { up as callFigures } from "./0015-call-figures.ts";
import { up as disabledReason } from "./0016-disabled-reason.ts";
import { up as socketMode } from "./0017-socket-mode.ts";
import { up as rehearsals } from "./0018-rehearsals.ts";
import { up as widgets } from "./0019-widgets.ts";
import { up as customerNotes } from "./0020-customer-notes.ts";
import { up as customerSearch } from "./0021-customer-search.ts";
import { up as cannedReplies } from "./0022-canned-replies.ts";
import { up as deskFigures } from "./0023-desk-figures.ts";
import { up as operatorConsole } from "./0024-operator-console.ts";
import { up as secondFactor } from "./0025-second-factor.ts";
import { up as deskNames } from "./0026-desk-names.ts";
import { up as signInByProvider } from "./0027-sign-in-by-provider.ts";
import { up as auditChain } from "./0028-audit-chain.ts";
import { up as scim, indexes as scimIndexes } from "./0029-scim.ts";
import { up as qrLoginsByPerson } from "./0030-qr-logins-by-person.ts";
import { up as secondFactorFailures } from "./0031-second-factor-failures.ts";
import { up as memberErasures } from "./0032-member-erasures.ts";
import { up as operatorUntil } from "./0033-operator-until.ts";
import { up as directoryNames } from "./0034-directory-names.ts";
import { up as whereSignedIn } from "./0035-where-signed-in.ts";
import { up as requestsByDay } from "./0036-requests-by-day.ts";
import { up as rowsOfOneTransaction } from "./0037-rows-of-one-transaction.ts";
import { up as quotaUses } from "./0038-quota-uses.ts";
import { up as whoseWord } from "./0039-whose-word.ts";
import { up as namesOfPeople, indexes as namesOfPeopleIndexes } from "./0040-names-of-people.ts";
import { up as endedBindings } from "./0041-ended-bindings.ts";

/**
 * A step from one version of the schema to the next. What it leaves must serve the version before, too, whose processes go on
 * beside it until all steps are done.
 */
export interface Migration {
  /** Runs in a transaction. On PostgreSQL it must be quick, however many rows there are: it may hold locks that others need. */
  up(db: Db, dialect: Dialect): Promise<void>;
  /** Indexes of tables that may be large by now. They are made before `up`, on PostgreSQL without holding up writers. */
  indexes?: readonly ConcurrentIndex[];
}

/** By name, in their order. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-foundation": { up: foundation },
  "0002-bot-messages": { up: botMessages },
  "0003-events": { up: events },
  "0004-console": { up: developerConsole },
  "0005-console-life": { up: consoleLife },
  "0006-customer-service": { up: customerService },
  "0007-provisioned": { up: provisioned },
  "0008-search": { up: search },
  "0009-installation-order": { up: installationOrder },
  "0011-spare-pages": { up: sparePages },
  "0012-agent-user-id": { up: agentUserId },
  "0013-member-logins": { up: memberLogins },
  "0014-member-reads": { up: memberReads },
  "0015-call-figures": { up: callFigures },
  "0016-disabled-reason": { up: disabledReason },
  "0017-socket-mode": { up: socketMode },
  "0018-rehearsals": { up: rehearsals },
  "0019-widgets": { up: widgets },
  "0020-customer-notes": { up: customerNotes },
  "0021-customer-search": { up: customerSearch },
  "0022-canned-replies": { up: cannedReplies },
  "0023-desk-figures": { up: deskFigures },
  "0024-operator-console": { up: operatorConsole },
  "0025-second-factor": { up: secondFactor },
  "0026-desk-names": { up: deskNames },
  "0027-sign-in-by-provider": { up: signInByProvider },
  "0028-audit-chain": { up: auditChain },
  "0029-scim": { up: scim, indexes: scimIndexes },
  "0030-qr-logins-by-person": { up: qrLoginsByPerson },
  "0031-second-factor-failures": { up: secondFactorFailures },
  "0032-member-erasures": { up: memberErasures },
  "0033-operator-until": { up: operatorUntil },
  "0034-directory-names": { up: directoryNames },
  "0035-where-signed-in": { up: whereSignedIn },
  "0036-requests-by-day": { up: requestsByDay },
  "0037-rows-of-one-transaction": { up: rowsOfOneTransaction },
  "0038-quota-uses": { up: quotaUses },
  "0039-whose-word": { up: whoseWord },
  "0040-names-of-people": { up: namesOfPeople, indexes: namesOfPeopleIndexes },
  "0041-ended-bindings": { up: endedBindings },
};
