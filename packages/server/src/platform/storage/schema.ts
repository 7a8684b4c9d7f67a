import type { Generated, Kysely } from "kysely";
import type { ApplicationTables } from "./schema/applications.ts";
import type { ConversationTables } from "./schema/conversations.ts";
import type { CustomerServiceTables } from "./schema/customer-service.ts";
import type { PeopleTables } from "./schema/people.ts";
import type { WebhookTables } from "./schema/webhooks.ts";

/**
 * The tables, one interface each, the same on SQLite and PostgreSQL. Times are in epoch milliseconds; JSON is stored as
 * text. A name that ends in `_box` is a secret encrypted under the master key, one that ends in `_hash` an irreversible
 * hash.
 */
export interface Schema
  extends ApplicationTables,
    ConversationTables,
    CustomerServiceTables,
    PeopleTables,
    WebhookTables {
  meta: { name: string; value: string };
  /** Reserved space without useful content; see platform/disk/spare-pages.ts. */
  spare_pages: { piece: number; content: string };
  /** The values of an entity when a provisioning file was last applied; see domain/provisioning/applied-state.ts. */
  provisioned: { entity: string; item: string; hash: string };
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
    /** The entry that tells why this one says no more than that there was a change; null for all others. */
    erased_by: Generated<number | null>;
  };
  /** The chain of the audit log, which the database makes; see domain/audit/audit-chain.ts. */
  audit_links: { position: number; audit_id: number; salt: string | null; digest: string; hash: string };
  /** Processes of a distributed service, each as it told of itself last; see domain/processes/process-store.ts. */
  processes: {
    process_id: string;
    host: string;
    pid: number;
    version: string;
    started_at: number;
    seen_at: number;
    /** JSON text. */
    report: string;
  };
}

/** A database handle: the pool or a transaction. The first parameter of every store function. */
export type Db = Kysely<Schema>;

export type Dialect = "sqlite" | "postgres";
