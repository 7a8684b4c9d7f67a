import type {
  AppState,
  AppType,
  ChangeType,
  DeliveryState,
  EventType,
  InstallationState,
  MessageType,
  Scope,
  SubscriptionState,
  TargetType,
} from "@portico/protocol";
import type { Generated, Kysely } from "kysely";

/** The durations in milliseconds up to which calls are counted. */
export type LatencyBound =
  | (1 | 2 | 3 | 5 | 7 | 10 | 15 | 20 | 30 | 50 | 70)
  | (100 | 150 | 200 | 300 | 500 | 700 | 1000 | 2000 | 5000 | 10000 | 60000);

/**
 * The tables, one interface each, the same on SQLite and PostgreSQL. Times are in epoch milliseconds; JSON is stored as
 * text. A name that ends in `_box` is a secret encrypted under the master key, one that ends in `_hash` an irreversible
 * hash.
 */
export interface Schema {
  meta: { name: string; value: string };
  /** Reserved space without useful content; see platform/disk/spare-pages.ts. */
  spare_pages: { piece: number; content: string };
  tenants: { tenant_id: string; name: string };
  members: {
    user_id: string;
    tenant_id: string;
    username: string;
    name: string;
    password_hash: string | null;
    phone: string | null;
    /** 1 while an operator has disabled the member. */
    disabled: Generated<number>;
  };
  /** One row per login of a member, as in `console_logins`. */
  member_logins: {
    login_id: string;
    user_id: string;
    refresh_hash: string;
    created_at: number;
    expires_at: number;
    generation: number;
    rotated: string;
    shared_until: number;
  };
  member_tokens: {
    token_hash: string;
    user_id: string;
    expires_at: number;
    /** Null for tokens from before there were logins. */
    login_id: Generated<string | null>;
  };
  /** The `msg_seq` up to which a member has read a conversation. */
  member_reads: { user_id: string; conversation_key: string; seq: number };
  groups: { group_id: string; tenant_id: string; name: string };
  group_members: { group_id: string; user_id: string };
  developers: {
    developer_id: string;
    phone: string;
    channel_id: number;
    name: string;
    password_hash: string | null;
    operator: number;
    /** 1 while an operator has disabled the developer. */
    disabled: Generated<number>;
  };
  developer_tenants: { developer_id: string; tenant_id: string };
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
  /** The values of an entity when a provisioning file was last applied; see domain/provisioning/applied-state.ts. */
  provisioned: { entity: string; item: string; hash: string };
  /** The sites on which an application's widget is allowed. */
  app_origins: { origin: string; app_id: string };
  app_scopes: { app_id: string; scope: Scope; state: "GRANTED" | "REQUESTED" };
  app_agents: { app_id: string; user_id: string };
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
  visitors: {
    visitor_id: string;
    app_id: string;
    third_user_id: string;
    nickname: string;
    avatar: Generated<string>;
    phone: Generated<string>;
    email: Generated<string>;
    /** JSON text that the integrator stores. */
    extra: Generated<string | null>;
    /** 0 when disabled. */
    status: number;
    created_at: Generated<number>;
    last_seen_at: Generated<number>;
    /** The last heartbeat of the widget. */
    heartbeat_at: Generated<number>;
  };
  visitor_tokens: { token_hash: string; visitor_id: string; expires_at: number };
  /** Locked while sessions of the application are assigned. */
  desks: { app_id: string };
  /** The status that an agent chose, and, separately, whether the agent is present. */
  desk_agents: {
    app_id: string;
    user_id: string;
    status: "ONLINE" | "BUSY" | "OFFLINE";
    /** The last heartbeat of the desk. */
    heartbeat_at: number;
    /** 1 from a heartbeat until the agent's absence is noticed. */
    present: number;
    /** The most concurrent sessions; null for the default. */
    max_sessions: number | null;
  };
  customer_sessions: {
    session_id: Generated<number>;
    app_id: string;
    visitor_id: string;
    status: "QUEUED" | "ACTIVE" | "CLOSED";
    /** userId of the agent; kept after the session is closed. */
    agent_user_id: string | null;
    source: string;
    subject: string;
    /** The position in the queue; the lowest value is assigned first. */
    queued_at: number;
    created_at: number;
    assigned_at: number | null;
    first_reply_at: number | null;
    closed_at: number | null;
    closed_by: string | null;
    close_reason: string | null;
    rating: number | null;
    rating_comment: string | null;
    /** The `seq` of its first and last message; a session's messages are consecutive. */
    first_seq: number | null;
    last_seq: number | null;
    /** Incremented by every change. */
    version: number;
  };
  customer_messages: {
    message_id: Generated<number>;
    app_id: string;
    visitor_id: string;
    session_id: number;
    /** Numbers the visitor's messages from 1 without gaps. */
    seq: number;
    sender_type: "VISITOR" | "AGENT" | "SYSTEM";
    /** userId of the agent who wrote it. */
    agent_user_id: string | null;
    third_msg_id: string | null;
    msg_type: "text" | "image" | "file";
    /** JSON text. */
    content: string;
    created_at: number;
  };
  /** The last `seq` that each side has read in a visitor's conversation. */
  customer_reads: { visitor_id: string; reader: "VISITOR" | "AGENT"; seq: number };
  /** Login codes that have not been used. */
  miniapp_codes: { code_hash: string; app_id: string; user_id: string; expires_at: number };
  miniapp_open_ids: { app_id: string; user_id: string; open_id: string };
  /**
   * Per developer: all applications of a developer share them. `owner_id` is `app:<appId>` for an application without
   * owner.
   */
  miniapp_union_ids: { owner_id: string; user_id: string; union_id: string };
  installations: {
    app_id: string;
    target_type: TargetType;
    target_id: string;
    status: InstallationState;
    installed_at: number;
    /** Unchanged by a later installation. */
    first_installed_at: Generated<number>;
  };
  /** `last_seq` numbers the changes of a conversation from 1 without gaps. */
  conversations: { conversation_key: string; last_seq: number };
  messages: {
    message_id: Generated<number>;
    conversation_key: string;
    msg_seq: number;
    sender_type: "BOT" | "MEMBER";
    /** appId of a bot, userId of a member. */
    sender_id: string;
    client_message_id: string | null;
    msg_type: MessageType;
    /** JSON text, as members receive it. */
    content: string;
    /** JSON text: the resolved mentions. */
    mentions: string;
    card_version: number | null;
    parent_message_id: number | null;
    recalled_at: number | null;
    created_at: number;
  };
  /** Changes of messages after they were sent: everything that has a `msg_seq` and is not a message. */
  conversation_changes: {
    conversation_key: string;
    msg_seq: number;
    type: Exclude<ChangeType, "message.created">;
    message_id: number;
  };
  /** The applications that receive a member's message: the bot of a direct chat, the mentioned bots of a group. */
  message_recipients: { message_id: number; app_id: string };
  card_actions: {
    action_id: string;
    message_id: number;
    /** The version of the card when the member acted on it. */
    card_version: number;
    user_id: string;
    /** JSON text. */
    action: string;
    created_at: number;
  };
  files: {
    file_key: string;
    /** Name of the content in the blob store, and the unguessable part of its URL. */
    blob_key: string;
    owner_type: "APP" | "MEMBER" | "VISITOR";
    owner_id: string;
    /** STORING until the content is in the blob store; DOOMED once it is to be removed. */
    state: "STORING" | "READY" | "DOOMED";
    file_name: string;
    mime_type: string;
    size: number;
    sha256: string;
    created_at: number;
    /** When the fileKey expires. */
    expires_at: number;
    /** When it was first sent. A sent file does not expire. */
    sent_at: number | null;
  };
  subscriptions: {
    app_id: string;
    event_type: EventType;
    callback_url: string;
    status: SubscriptionState;
    secret_box: string;
    /** Failed attempts since the last success. */
    failure_count: number;
    updated_at: number;
  };
  /** The outbox: an event and the state of its delivery. See domain/webhooks/delivery-store.ts for its transitions. */
  deliveries: {
    delivery_id: Generated<number>;
    event_id: string;
    app_id: string;
    event_type: EventType;
    /** JSON text, sent unchanged with every attempt. */
    body: string;
    status: DeliveryState;
    created_at: number;
    /** When a worker may claim it: the time of the next attempt, or the end of the current worker's lease. */
    due_at: number | null;
    /** Fencing token, incremented when it is claimed or a claim is revoked. */
    claim: number;
    /** 1 while a worker holds it. */
    claimed: number;
    attempt_count: number;
    /** Retries used since the delivery, or its last redelivery, began. */
    retry_count: number;
    last_status: number | null;
    last_reason: string | null;
  };
  delivery_attempts: {
    delivery_id: number;
    attempt: number;
    at: number;
    /** The address of the connection. */
    address: string | null;
    status: number | null;
    reason: string | null;
    detail: string | null;
    duration_ms: number;
    /** JSON text. */
    phases: string;
    answer: string;
    next_attempt_at: number | null;
  };
  redelivery_jobs: {
    job_id: string;
    app_id: string;
    /** JSON text: the filter that selects the deliveries. */
    selection: string;
    state: "RUNNING" | "DONE" | "CANCELLED";
    /** The last delivery_id that was processed, and the last one to process. */
    position: number;
    upper: number;
    /** The number of selected deliveries when the job was created. */
    total: number;
    redelivered: number;
    skipped: number;
    created_at: number;
    lease_until: number;
  };
  /** One row per login of a developer, removed when the login ends. */
  console_logins: {
    /** Hash of the constant part of its refresh tokens. */
    login_id: string;
    developer_id: string;
    /** Hash of the valid refresh token. */
    refresh_hash: string;
    created_at: number;
    /** When the refresh token expires. */
    expires_at: number;
    /** The id under which its developer lists and revokes it. */
    session_id: string | null;
    /** Where and when it was begun or last renewed. */
    address: string | null;
    user_agent: string | null;
    last_used_at: number | null;
    /** Counts the rotations of its refresh token. */
    generation: Generated<number>;
    /** JSON text: the refresh tokens that have been rotated of late; domain/accounts/refresh-rotation.ts. */
    rotated: Generated<string>;
    /** Until when the refresh token is not rotated, because several hold it. */
    shared_until: Generated<number>;
  };
  console_access_tokens: { token_hash: string; login_id: string; expires_at: number };
  /** Sign-ins by QR code; a row is removed after its token has expired. */
  console_qr_logins: {
    token_hash: string;
    state: "PENDING" | "SCANNED" | "CONFIRMED" | "USED";
    /** The member who scanned the code. */
    user_id: string | null;
    developer_id: string | null;
    /** The address that requested the code. */
    address: string;
    user_agent: string;
    expires_at: number;
  };
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
  };
  /** Changes by people or by a provisioning file; see domain/audit/audit-store.ts. */
  audit_entries: {
    audit_id: Generated<number>;
    at: number;
    actor_type: "DEVELOPER" | "MEMBER" | "SYSTEM";
    actor_id: string;
    action: string;
    tenant_id: string | null;
    app_id: string | null;
    target: string;
    /** JSON text. */
    before: string | null;
    /** JSON text. */
    after: string | null;
    address: string;
  };
  /** Signed calls of an application per minute, by the minute's number since the epoch. */
  call_counts: { app_id: string; minute: number; calls: number; errors: number } & {
    /** Calls by their duration: `ms_100` counts those that took no more than 100 ms, but more than the column before. */
    [Column in `ms_${LatencyBound}`]: Generated<number>;
  };
  /** Refused and failed calls of an application per minute and code. */
  call_errors: { app_id: string; minute: number; code: string; calls: number };
  nonces_0: Nonces;
  nonces_1: Nonces;
  nonces_2: Nonces;
  nonces_3: Nonces;
  nonces_4: Nonces;
  nonces_5: Nonces;
  /** Calls of an application per UTC day, by the day's number since the epoch. */
  quota_days: { app_id: string; day: number; used: number };
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

/** A database handle: the pool or a transaction. The first parameter of every store function. */
export type Db = Kysely<Schema>;

export type Dialect = "sqlite" | "postgres";
