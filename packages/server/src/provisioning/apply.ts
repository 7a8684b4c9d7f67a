import type { Context } from "../context.ts";
import { provisionApp } from "./apply-app.ts";
import { provisionDeveloper, provisionGroup, provisionMember, provisionTenant } from "./apply-directory.ts";
import type { ProvisioningFile } from "./schema.ts";

/** How many of each kind the file held. */
export type ProvisionSummary = Record<string, number>;

/** What applying a file needs. */
export type ProvisioningContext = Pick<Context, "storage" | "secretBox" | "passwords" | "clock">;

/**
 * Makes the database say what the file says, in one transaction, all or nothing. What the file leaves out stays as it
 * is, or takes its default where it is new.
 *
 * @throws ProvisioningError when the file names something that does not exist or may not be.
 */
export async function applyProvisioning(ctx: ProvisioningContext, file: ProvisioningFile): Promise<ProvisionSummary> {
  const { tenants = [], members = [], groups = [], developers = [], apps = [] } = file;
  const hashes = await hashPasswords(ctx, file);
  await ctx.storage.unhurried.write(async (tx) => {
    for (const tenant of tenants) await provisionTenant(tx, tenant);
    for (const [index, member] of members.entries()) await provisionMember(tx, file, index, hashes.get(member));
    for (const index of groups.keys()) await provisionGroup(tx, file, index);
    for (const [index, developer] of developers.entries()) {
      await provisionDeveloper(tx, file, index, hashes.get(developer));
    }
    for (const index of apps.keys()) await provisionApp(ctx, tx, file, index);
  });
  return {
    tenants: tenants.length,
    members: members.length,
    groups: groups.length,
    developers: developers.length,
    apps: apps.length,
  };
}

/** Before the transaction, which must wait for nothing but its own queries. */
async function hashPasswords(ctx: ProvisioningContext, file: ProvisioningFile): Promise<Map<object, string>> {
  const people = [...(file.members ?? []), ...(file.developers ?? [])];
  const hashes = new Map<object, string>();
  await Promise.all(
    people.map(async (person) => {
      if (person.password) hashes.set(person, await ctx.passwords.hash(person.password));
    }),
  );
  return hashes;
}
