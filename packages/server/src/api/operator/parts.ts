import type { MemberTokens } from "../../domain/accounts/member-tokens.ts";
import type { PasswordHasher } from "../../domain/accounts/passwords.ts";
import type { MemberErasures } from "../../domain/persons/member-erasures.ts";
import type { Processes } from "../../domain/processes/processes.ts";
import type { Coordination } from "../../platform/coordination/coordination.ts";
import type { FreeSpace } from "../../platform/disk/free-space.ts";
import type { AppParts, LimitParts, RequestLogParts } from "../common/console/console-parts.ts";
import type { ConsoleApiParts } from "../common/console/console-route.ts";
import type { ExportParts } from "../common/console/export-call.ts";
import type { EventParts, LiveParts } from "../common/parts.ts";

/** To set somebody's password. */
export interface PasswordParts extends LimitParts {
  passwords: PasswordHasher;
}

/** To tell how the service fares. */
export interface HealthParts extends LimitParts, EventParts {
  coordination: Pick<Coordination, "ping">;
  freeSpace: FreeSpace;
  processes: Processes;
}

/** What the operators' API needs. */
export interface OperatorContext
  extends ConsoleApiParts,
    AppParts,
    LimitParts,
    PasswordParts,
    LiveParts,
    HealthParts,
    RequestLogParts,
    ExportParts {
  memberTokens: MemberTokens;
  memberErasures: MemberErasures;
}
