import type { DeliveryState, EventType, SubscriptionState, Transport } from "@portico/protocol";
import type { Generated } from "kysely";

/** Subscriptions to events, and their deliveries. */
export interface WebhookTables {
  subscriptions: {
    app_id: string;
    event_type: EventType;
    /** Null for the transport SOCKET. */
    callback_url: string | null;
    status: SubscriptionState;
    secret_box: string;
    /** Failed attempts since the last success. */
    failure_count: number;
    updated_at: number;
    transport: Generated<Transport>;
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
    /** 1 while it waits for a socket, 0 while it waits for a webhook; put right when it is claimed. */
    socket: Generated<number>;
    /** How many connections in a row have ended with it unsettled. */
    ends: Generated<number>;
    /** How often it has been redelivered: an acknowledgement counts only within its round. */
    round: Generated<number>;
    /** What its events have an order within; null for none. */
    conversation: string | null;
    /** The socket connection that has it, or had it last. */
    connection_id: string | null;
    /** When it was due before that connection got it. */
    due_before: number | null;
  };
  /** Open connections of socket mode; dead after `lease_until`, by the clock of deliveries. */
  socket_connections: {
    connection_id: string;
    app_id: string;
    process_id: string;
    lease_until: number;
  };
  /** The event types that connections take, whatever the subscriptions; only in the test environment. */
  socket_takes: { app_id: string; event_type: EventType; connection_id: string };
  /** The connection to which a conversation's events go as long as it lasts and answers. */
  socket_conversations: {
    app_id: string;
    conversation: string;
    connection_id: string;
    /** The connection that has left an event unanswered and gets them only if there is no other; the binding to it has ended. */
    avoid: string | null;
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
}
