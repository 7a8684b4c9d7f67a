import type { Kysely } from "kysely";
import type { Schema } from "../schema.ts";

/** Finds the sign-ins by QR code of a member and of a developer, which end with their logins. */
export async function up({ schema }: Kysely<Schema>): Promise<void> {
  const logins = (name: string) => schema.createIndex(`console_qr_logins_${name}`).on("console_qr_logins");
  await logins("user").column("user_id").execute();
  await logins("developer").column("developer_id").execute();
}
