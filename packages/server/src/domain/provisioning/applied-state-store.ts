import type { Db } from "../../platform/storage/schema.ts";

/** The stored fingerprints of an entity, by item. */
export type KnownItems = ReadonlyMap<string, string>;

/** Changes of an entity's fingerprints: a new value per item, or null to delete it. */
export interface AppliedChanges {
  entity: string;
  items: ReadonlyMap<string, string | null>;
}

const AT_ONCE = 500;

/** Locks provisioning until the transaction ends, in all processes; an update locks a row on both engines. */
export async function lockProvisioning(tx: Db): Promise<void> {
  await tx
    .updateTable("meta")
    .set((eb) => ({ value: eb.ref("value") }))
    .where("name", "=", "provisioning")
    .execute();
}

/** The fingerprints of the entities from when they were last applied. */
export async function loadAppliedState(db: Db, entities: readonly string[]): Promise<Map<string, KnownItems>> {
  const known = new Map<string, Map<string, string>>();
  for (let from = 0; from < entities.length; from += AT_ONCE) {
    const rows = await db
      .selectFrom("provisioned")
      .selectAll()
      .where("entity", "in", entities.slice(from, from + AT_ONCE))
      .execute();
    for (const { entity, item, hash } of rows) {
      const items = known.get(entity);
      if (items === undefined) known.set(entity, new Map([[item, hash]]));
      else items.set(item, hash);
    }
  }
  return known;
}

export async function saveAppliedState(tx: Db, changes: Iterable<AppliedChanges>): Promise<void> {
  const kept: { entity: string; item: string; hash: string }[] = [];
  for (const { entity, items } of changes) {
    const forgotten: string[] = [];
    for (const [item, hash] of items) {
      if (hash === null) forgotten.push(item);
      else kept.push({ entity, item, hash });
    }
    for (let from = 0; from < forgotten.length; from += AT_ONCE) {
      const items = forgotten.slice(from, from + AT_ONCE);
      await tx.deleteFrom("provisioned").where("entity", "=", entity).where("item", "in", items).execute();
    }
  }
  for (let from = 0; from < kept.length; from += AT_ONCE) {
    await tx
      .insertInto("provisioned")
      .values(kept.slice(from, from + AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(["entity", "item"]).doUpdateSet((eb) => ({ hash: eb.ref("excluded.hash") })),
      )
      .execute();
  }
}
