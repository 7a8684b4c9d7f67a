import type { Generated } from "kysely";

/** Visitors, agents, their sessions and messages. */
export interface CustomerServiceTables {
  /** The sites on which an application's widget is allowed. */
  app_origins: { origin: string; app_id: string };
  /** How an application's widget looks; no row for an application whose owner has set nothing. */
  app_widgets: {
    app_id: string;
    /** 1 when visitors need no token of the integrator's. */
    anonymous_visitors: number;
    /** JSON text. */
    settings: string;
  };
  app_agents: { app_id: string; user_id: string };
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
  /** By which visitors without a name come back; one for each. */
  visitor_keys: { key_hash: string; visitor_id: string; used_at: number };
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
    /** Since when it waits, or waited last; null for what an earlier version opened. */
    waiting_since: number | null;
    /** How long it has waited until it last had an agent; null before, and for what an earlier version assigned. */
    waited_ms: number | null;
    created_at: number;
    assigned_at: number | null;
    /** When it first had an agent; stays when it is given to another. */
    first_assigned_at: number | null;
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
    /** The agent's name then; null for what an earlier version stored. */
    agent_name: string | null;
    third_msg_id: string | null;
    msg_type: "text" | "image" | "file";
    /** JSON text. */
    content: string;
    created_at: number;
  };
  /** By what a message is found: the beginning of its text, or its file's name. Triggers keep the index of it. */
  customer_texts: { message_id: number; app_id: string; said: string };
  /** What agents write about a visitor for one another. No visitor reads it. */
  customer_notes: {
    note_id: Generated<number>;
    app_id: string;
    visitor_id: string;
    /** In which it was written. */
    session_id: number;
    /** userId of the agent who wrote it. */
    agent_user_id: string;
    /** The agent's idempotency key. */
    client_note_id: string | null;
    text: string;
    created_at: number;
  };
  /** Texts that an application's agents insert by a shortcut. */
  canned_replies: {
    reply_id: string;
    app_id: string;
    shortcut: string;
    /** The shortcut without the case of its letters, by which it is unique. */
    shortcut_key: string;
    text: string;
    /** The agent who saved it last. */
    member_id: string | null;
    /** The developer who did. */
    developer_id: string | null;
    updated_at: number;
  };
  /** The last `seq` that each side has read in a visitor's conversation. */
  customer_reads: { visitor_id: string; reader: "VISITOR" | "AGENT"; seq: number };
}
