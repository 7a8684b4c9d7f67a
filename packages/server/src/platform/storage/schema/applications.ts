import type { AppState, AppType, InstallationState, RehearsedFault, Scope, TargetType } from "@portico/protocol";
import type { Generated } from "kysely";

/** The durations in milliseconds up to which calls are counted. */
export type LatencyBound =
  | (1 | 2 | 3 | 5 | 7 | 10 | 15 | 20 | 30 | 50 | 70)
  | (100 | 150 | 200 | 300 | 500 | 700 | 1000 | 2000 | 5000 | 10000 | 60000);

/** Applications, what they may do, and what they have used of it. */
export interface ApplicationTables {
  apps: {
    app_id: string;
    type: AppType;
    tenant_id: string;
    owner_id: string | null;
    status: AppState;
    /** The operator's words; null unless it is DISABLED, and where a provisioning file disabled it. */
    disabled_reason: Generated<string | null>;
    display_name: string;
    avatar: string;
    description: Generated<string>;
    /** Null for the configured default. */
    per_minute: number | null;
    per_day: number | null;
    concurrent: number | null;
    created_at: number;
    /** The fault that its owner rehearses; null for none. */
    rehearsed_fault: Generated<RehearsedFault | null>;
    /** The calls or deliveries that are still to fail; 0 when all have. */
    rehearsed_left: Generated<number | null>;
    rehearsed_until: Generated<number | null>;
    rehearsed_delay_ms: Generated<number | null>;
  };
  credentials: {
    credential_id: string;
    app_id: string;
    secret_box: string;
    created_at: number;
    /** When a newer credential replaced it; null for the current one. */
    rotated_at: number | null;
    /** When it last signed a call, to the minute. */
    last_used_at: Generated<number | null>;
  };
  /** Ids of revoked credentials, which are no longer in `credentials`. */
  revoked_credentials: { credential_hash: string; app_id: string; revoked_at: number };
  app_scopes: { app_id: string; scope: Scope; state: "GRANTED" | "REQUESTED" };
  /** Submissions for review, and their results. */
  app_reviews: {
    review_id: Generated<number>;
    app_id: string;
    state: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
    /** The owner's note. */
    note: string;
    /** JSON text: the requested scopes. */
    scopes: string;
    submitted_by: string;
    submitted_at: number;
    reviewed_by: string | null;
    reviewed_at: number | null;
    /** The reviewer's comment. */
    comment: string | null;
    /** JSON text: the application as it was approved; null unless it was, and where that was not recorded. */
    approved: Generated<string | null>;
  };
  card_templates: { card_id: string; app_id: string; name: string; version: number; card: string };
  /** Every version saved in the console, including the current one. */
  card_template_versions: {
    card_id: string;
    version: number;
    name: string;
    /** JSON text. */
    card: string;
    /** developerId; null for a version of a provisioning file. */
    saved_by: string | null;
    /** Null for a version of a provisioning file. */
    saved_at: number | null;
  };
  installations: {
    app_id: string;
    target_type: TargetType;
    target_id: string;
    status: InstallationState;
    installed_at: number;
    /** Unchanged by a later installation. */
    first_installed_at: Generated<number>;
  };
  /** Login codes that have not been used. */
  miniapp_codes: { code_hash: string; app_id: string; user_id: string; expires_at: number };
  miniapp_open_ids: { app_id: string; user_id: string; open_id: string };
  /**
   * Per developer: all applications of a developer share them. `owner_id` is `app:<appId>` for an application without
   * owner.
   */
  miniapp_union_ids: { owner_id: string; user_id: string; union_id: string };
  nonces_0: Nonces;
  nonces_1: Nonces;
  nonces_2: Nonces;
  nonces_3: Nonces;
  nonces_4: Nonces;
  nonces_5: Nonces;
  /** Calls of an application per UTC day, by the day's number since the epoch. */
  quota_days: { app_id: string; day: number; used: number };
  /** Calls that are to be added to `quota_days`, by the counter that counted them. */
  quota_uses: { use_id: Generated<number>; app_id: string; day: number; counter: string; calls: number };
  /** Signed calls of an application per minute, by the minute's number since the epoch. */
  call_counts: { app_id: string; minute: number; calls: number; errors: number } & {
    /** Calls by their duration: `ms_100` counts those that took no more than 100 ms, but more than the column before. */
    [Column in `ms_${LatencyBound}`]: Generated<number>;
  };
  /** Refused and failed calls of an application per minute and code. */
  call_errors: { app_id: string; minute: number; code: string; calls: number };
  requests: {
    req_no: string;
    app_id: string | null;
    at: number;
    method: string;
    path: string;
    status: number;
    code: string;
    duration_ms: number;
    /** JSON text: the reason for the refusal, and the request as the service read it. */
    detail: string | null;
  };
}

/** A partition of the used nonces; see domain/applications/nonces/nonce-partitions.ts for the assignment of rows. */
interface Nonces {
  app_id: string;
  nonce: string;
  /** The signed timestamp. */
  signed_at: number;
  expires_at: number;
}
