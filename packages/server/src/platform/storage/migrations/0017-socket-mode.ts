import { type ColumnDefinitionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import type { Dialect, Schema } from "../schema.ts";
import { keyedOn, required } from "./tables.ts";

/** Adds socket mode: the transport of a subscription, open connections, and what goes to which of them. */
export async function up(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  await addTransport(db, dialect);
  const number = (name: string) =>
    schema.alterTable("deliveries").addColumn(name, "integer", (c) => c.notNull().defaultTo(0));
  await number("socket").execute();
  await number("ends").execute();
  await number("round").execute();
  await schema.alterTable("deliveries").addColumn("conversation", "text").execute();
  await schema.alterTable("deliveries").addColumn("connection_id", "text").execute();
  await schema.alterTable("deliveries").addColumn("due_before", "bigint").execute();

  // What waits for a socket must not hold up what goes to a webhook, and the other way round.
  await schema.dropIndex("deliveries_due").execute();
  const waiting = (name: string, columns: string[], socket: 0 | 1) =>
    schema
      .createIndex(name)
      .on("deliveries")
      .columns(columns)
      .where(sql<SqlBool>`due_at is not null and socket = ${sql.lit(socket)}`);
  await waiting("deliveries_due", ["app_id", "due_at", "delivery_id"], 0).execute();
  await waiting("deliveries_socket_due", ["app_id", "due_at"], 1).execute();
  await waiting("deliveries_socket", ["app_id", "event_type", "delivery_id", "due_at"], 1).execute();
  await schema
    .createIndex("deliveries_sent")
    .on("deliveries")
    .column("connection_id")
    .where(sql<SqlBool>`claimed = 1 and connection_id is not null`)
    .execute();

  const keyed = keyedOn(dialect);
  await schema
    .createTable("socket_connections")
    .addColumn("connection_id", "text", (c) => c.primaryKey())
    .addColumn("app_id", "text", (c) => c.notNull().references("apps.app_id"))
    .addColumn("process_id", "text", required)
    .addColumn("lease_until", "bigint", required)
    .execute();
  await schema.createIndex("socket_connections_app").on("socket_connections").column("app_id").execute();
  await schema.createIndex("socket_connections_process").on("socket_connections").column("process_id").execute();
  await schema.createIndex("socket_connections_lease").on("socket_connections").column("lease_until").execute();
  const ofConnection = (c: ColumnDefinitionBuilder) =>
    c.notNull().references("socket_connections.connection_id").onDelete("cascade");
  await keyed(
    schema
      .createTable("socket_takes")
      .addColumn("app_id", "text", required)
      .addColumn("event_type", "text", required)
      .addColumn("connection_id", "text", ofConnection)
      .addPrimaryKeyConstraint("socket_takes_pk", ["app_id", "event_type", "connection_id"]),
  ).execute();
  await schema.createIndex("socket_takes_connection").on("socket_takes").column("connection_id").execute();
  await keyed(
    schema
      .createTable("socket_conversations")
      .addColumn("app_id", "text", required)
      .addColumn("conversation", "text", required)
      .addColumn("connection_id", "text", ofConnection)
      .addPrimaryKeyConstraint("socket_conversations_pk", ["app_id", "conversation"]),
  ).execute();
  await schema
    .createIndex("socket_conversations_connection")
    .on("socket_conversations")
    .column("connection_id")
    .execute();
}

/** A subscription by socket has no address. SQLite cannot make a column nullable, so there the table is written anew. */
async function addTransport(db: Kysely<Schema>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  if (dialect === "postgres") {
    await schema.alterTable("subscriptions").addColumn("transport", "text", webhookByDefault).execute();
    await schema
      .alterTable("subscriptions")
      .alterColumn("callback_url", (column) => column.dropNotNull())
      .execute();
    return;
  }
  await schema.alterTable("subscriptions").renameTo("subscriptions_before").execute();
  await keyedOn(dialect)(
    schema
      .createTable("subscriptions")
      .addColumn("app_id", "text", (c) => c.notNull().references("apps.app_id"))
      .addColumn("event_type", "text", required)
      .addColumn("callback_url", "text")
      .addColumn("status", "text", required)
      .addColumn("secret_box", "text", required)
      .addColumn("failure_count", "integer", required)
      .addColumn("updated_at", "bigint", required)
      .addColumn("transport", "text", webhookByDefault)
      .addPrimaryKeyConstraint("subscriptions_pk", ["app_id", "event_type"]),
  ).execute();
  const columns = sql.raw("app_id, event_type, callback_url, status, secret_box, failure_count, updated_at");
  await sql`insert into subscriptions (${columns}) select ${columns} from subscriptions_before`.execute(db);
  await schema.dropTable("subscriptions_before").execute();
}

const webhookByDefault = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo("WEBHOOK");
