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

/**
 * The tables, one interface each, the same on SQLite and PostgreSQL. All times are epoch milliseconds; JSON is kept as
 * text; a name ending in `_box` is a secret sealed by the master key, one ending in `_hash` cannot be turned back.
 */
export interface Schema {
  meta: { name: string; value: string };
  /** Holds nothing of use; see platform/disk/spare-pages.ts. */
  spare_pages: { piece: number; content: string };
  tenants: { tenant_id: string; name: string };
  members: {
    user_id: string;
    tenant_id: string;
    username: string;
    name: string;
    password_hash: string | null;
    phone: string | null;
    /** 1 once an operator has shut the member out. */
    disabled: Generated<number>;
  };
  member_tokens: { token_hash: string; user_id: string; expires_at: number };
  groups: { group_id: string; tenant_id: string; name: string };
  group_members: { group_id: string; user_id: string };
  developers: {
    developer_id: string;
    phone: string;
    channel_id: number;
    name: string;
    password_hash: string | null;
    operator: number;
    /** 1 once an operator has shut the developer out. */
    disabled: Generated<number>;
  };
  developer_tenants: { developer_id: string; tenant_id: string };
  apps: {
    app_id: string;
    type: AppType;
    tenant_id: string;
    owner_id: string | null;
    status: AppState;
    display_name: string;
    avatar: string;
    description: Generated<string>;
    /** Null: the configured default. */
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
    /** When a newer credential took its place; null while it is the current one. */
    rotated_at: number | null;
    /** When a call was last signed with it, to the minute. */
    last_used_at: Generated<number | null>;
  };
  /** Of ids that have been revoked and are no longer in `credentials`. */
  revoked_credentials: { credential_hash: string; app_id: string; revoked_at: number };
  /** What provisioning files said of an entity when they were last applied; domain/provisioning/said.ts. */
  provisioned: { entity: string; item: string; hash: string };
  /** Which sites an application's widget may be put on. */
  app_origins: { origin: string; app_id: string };
  app_scopes: { app_id: string; scope: Scope; state: "GRANTED" | "REQUESTED" };
  app_agents: { app_id: string; user_id: string };
  card_templates: { card_id: string; app_id: string; name: string; version: number; card: string };
  /** Every version that was saved in the console, the current one included. */
  card_template_versions: {
    card_id: string;
    version: number;
    name: string;
    /** JSON text. */
    card: string;
    /** developerId; null for what a provisioning file said. */
    saved_by: string | null;
    /** Null for the same. */
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
    /** JSON text: what the integrator wants to keep. */
    extra: Generated<string | null>;
    /** 0: disabled. */
    status: number;
    created_at: Generated<number>;
    last_seen_at: Generated<number>;
    /** When the widget last gave a sign of life. */
    heartbeat_at: Generated<number>;
  };
  visitor_tokens: { token_hash: string; visitor_id: string; expires_at: number };
  /** The row that is held while sessions of the application are assigned. */
  desks: { app_id: string };
  /** What an agent chose, and whether they are there: two things. */
  desk_agents: {
    app_id: string;
    user_id: string;
    status: "ONLINE" | "BUSY" | "OFFLINE";
    /** When the desk last gave a sign of life. */
    heartbeat_at: number;
    /** 1 from a sign of life until its absence has been noticed. */
    present: number;
    /** How many sessions at a time; null for the default. */
    max_sessions: number | null;
  };
  customer_sessions: {
    session_id: Generated<number>;
    app_id: string;
    visitor_id: string;
    status: "QUEUED" | "ACTIVE" | "CLOSED";
    /** userId of the agent, also once it is closed. */
    agent_user_id: string | null;
    source: string;
    subject: string;
    /** Its place in the queue: those with the lowest come first. */
    queued_at: number;
    created_at: number;
    assigned_at: number | null;
    first_reply_at: number | null;
    closed_at: number | null;
    closed_by: string | null;
    close_reason: string | null;
    rating: number | null;
    rating_comment: string | null;
    /** The `seq` of its first and its last message: a session's messages follow each other. */
    first_seq: number | null;
    last_seq: number | null;
    /** Counts its changes. */
    version: number;
  };
  customer_messages: {
    message_id: Generated<number>;
    app_id: string;
    visitor_id: string;
    session_id: number;
    /** Counts the visitor's messages from 1 without gaps. */
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
  /** Up to which `seq` each side has read a visitor's conversation. */
  customer_reads: { visitor_id: string; reader: "VISITOR" | "AGENT"; seq: number };
  /** Codes that can still be exchanged. */
  miniapp_codes: { code_hash: string; app_id: string; user_id: string; expires_at: number };
  miniapp_open_ids: { app_id: string; user_id: string; open_id: string };
  /** By developer: the applications of one share them. `owner_id` is `app:<appId>` for an application without owner. */
  miniapp_union_ids: { owner_id: string; user_id: string; union_id: string };
  installations: {
    app_id: string;
    target_type: TargetType;
    target_id: string;
    status: InstallationState;
    installed_at: number;
    /** Stays as it is when it is installed again. */
    first_installed_at: Generated<number>;
  };
  /** `last_seq` counts every change of the conversation from 1 without gaps. */
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
    /** JSON text, as members will receive it. */
    content: string;
    /** JSON text: the mentioned, resolved. */
    mentions: string;
    card_version: number | null;
    parent_message_id: number | null;
    recalled_at: number | null;
    created_at: number;
  };
  /** What happened after a message was said: everything that takes a `msg_seq` and is not a message. */
  conversation_changes: {
    conversation_key: string;
    msg_seq: number;
    type: Exclude<ChangeType, "message.created">;
    message_id: number;
  };
  /** The applications that a member's message was for: a direct message's bot, the mentioned bots of a group. */
  message_recipients: { message_id: number; app_id: string };
  card_actions: {
    action_id: string;
    message_id: number;
    /** The version that the card had when it was acted on. */
    card_version: number;
    user_id: string;
    /** JSON text. */
    action: string;
    created_at: number;
  };
  files: {
    file_key: string;
    /** Name of the content in the blob store, and the unguessable part of its address. */
    blob_key: string;
    owner_type: "APP" | "MEMBER" | "VISITOR";
    owner_id: string;
    /** STORING until the content is in the blob store, DOOMED once it is to be removed. */
    state: "STORING" | "READY" | "DOOMED";
    file_name: string;
    mime_type: string;
    size: number;
    sha256: string;
    created_at: number;
    /** When the fileKey can no longer be sent. */
    expires_at: number;
    /** When it was first sent; such a file stays. */
    sent_at: number | null;
  };
  subscriptions: {
    app_id: string;
    event_type: EventType;
    callback_url: string;
    status: SubscriptionState;
    secret_box: string;
    /** Attempts failed since the last success. */
    failure_count: number;
    updated_at: number;
  };
  /** The outbox: an event and what became of its delivery. domain/webhooks/delivery-store.ts says how rows change. */
  deliveries: {
    delivery_id: Generated<number>;
    event_id: string;
    app_id: string;
    event_type: EventType;
    /** JSON text, sent as it stands at every attempt. */
    body: string;
    status: DeliveryState;
    created_at: number;
    /** When a worker may take it: the next attempt, or the end of the lease of the worker that holds it. */
    due_at: number | null;
    /** Fencing token: counts how often it was taken or taken away. */
    claim: number;
    /** 1 while a worker holds it. */
    claimed: number;
    attempt_count: number;
    /** Retries used since it was last sent off. */
    retry_count: number;
    last_status: number | null;
    last_reason: string | null;
  };
  delivery_attempts: {
    delivery_id: number;
    attempt: number;
    at: number;
    /** The address that was dialled. */
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
    /** JSON text: which deliveries. */
    selection: string;
    state: "RUNNING" | "DONE" | "CANCELLED";
    /** The last delivery_id that has been looked at, and the last one to look at. */
    position: number;
    upper: number;
    /** How many deliveries were selected when it was created. */
    total: number;
    redelivered: number;
    skipped: number;
    created_at: number;
    lease_until: number;
  };
  /** One row per login of a developer; what ends it removes it. */
  console_logins: {
    /** Hash of the part of its refresh tokens that stays the same. */
    login_id: string;
    developer_id: string;
    /** Of the one refresh token that is good. */
    refresh_hash: string;
    created_at: number;
    /** When the refresh token expires. */
    expires_at: number;
    /** By which its developer names it. */
    session_id: string | null;
    /** Where it was begun or last renewed, and when. */
    address: string | null;
    user_agent: string | null;
    last_used_at: number | null;
  };
  console_access_tokens: { token_hash: string; login_id: string; expires_at: number };
  /** Sign-ins by QR code; a row goes once its token has expired. */
  console_qr_logins: {
    token_hash: string;
    state: "PENDING" | "SCANNED" | "CONFIRMED" | "USED";
    /** The member who scanned it. */
    user_id: string | null;
    developer_id: string | null;
    /** Where it was begun. */
    address: string;
    user_agent: string;
    expires_at: number;
  };
  /** What was submitted for review, and what became of it. */
  app_reviews: {
    review_id: Generated<number>;
    app_id: string;
    state: "PENDING" | "APPROVED" | "REJECTED" | "WITHDRAWN";
    /** The owner's words. */
    note: string;
    /** JSON text: the scopes that were asked for. */
    scopes: string;
    submitted_by: string;
    submitted_at: number;
    reviewed_by: string | null;
    reviewed_at: number | null;
    /** The reviewer's words. */
    comment: string | null;
  };
  /** Changes made by people, or by a provisioning file; domain/audit/audit-store.ts. */
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
  /** Signed calls of an application in a minute, counted in whole minutes since the epoch. */
  call_counts: { app_id: string; minute: number; calls: number; errors: number };
  nonces_0: Nonces;
  nonces_1: Nonces;
  nonces_2: Nonces;
  nonces_3: Nonces;
  nonces_4: Nonces;
  nonces_5: Nonces;
  /** Calls of an application on a UTC day, counted in whole days since the epoch. */
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
    /** JSON text: why it was refused, and what the service made of the request. */
    detail: string | null;
  };
}

/** One partition of the used nonces; domain/applications/nonces/nonce-partitions.ts says which row lies in which. */
interface Nonces {
  app_id: string;
  nonce: string;
  /** The timestamp that was signed with it. */
  signed_at: number;
  expires_at: number;
}

/** A database handle: the pool, or a transaction. Stores take it first. */
export type Db = Kysely<Schema>;

export type Dialect = "sqlite" | "postgres";
