import { isDeepStrictEqual } from "node:util";
import { writeJson } from "../../../platform/http/json-text.ts";
import { forgetOtherVersion } from "../../cards/template-version-store.ts";
import { memberItem } from "../applied-state.ts";
import { checkOnce } from "../entities.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppPlace } from "./app-place.ts";

/** A card template in a file. */
interface SaidTemplate {
  name: string;
  version: number;
  /** JSON text. */
  card: string;
}

export async function provisionCardTemplates(place: AppPlace): Promise<void> {
  const { run, applied, app, path } = place;
  const templates = app.cardTemplates ?? [];
  const pathOf = (index: number) => `${path}.cardTemplates[${index}].cardId`;
  checkOnce(templates.map(({ cardId }, index) => [pathOf(index), cardId]));
  for (const [index, { cardId, name = cardId, version = 1, card = {} }] of templates.entries()) {
    const template = { name, version, card: writeJson(card) };
    if (!applied.hasChanges({ [memberItem("cardTemplates", cardId)]: template })) run.report.unchanged++;
    else await provisionTemplate(place, cardId, { template, path: pathOf(index) });
  }
}

async function provisionTemplate(
  place: AppPlace,
  cardId: string,
  { template, path }: { template: SaidTemplate; path: string },
): Promise<void> {
  const { run, applied, appId } = place;
  const item = memberItem("cardTemplates", cardId);
  await place.lock();
  const row = await run.tx
    .selectFrom("card_templates")
    .select(["app_id", "name", "version", "card"])
    .where("card_id", "=", cardId)
    .executeTakeFirst();
  if (row !== undefined && row.app_id !== appId) {
    throw new ProvisioningError(path, `belongs to another app, ${row.app_id}`);
  }
  const kept = row && { name: row.name, version: row.version, card: row.card };
  applied.note(item, template);
  if (isDeepStrictEqual(kept, template)) {
    run.report.unchanged++;
    return;
  }
  // People can delete templates: a missing one may have been deleted.
  if (applied.isInherited) {
    run.report.skipInherited(applied.entity, item);
    return;
  }
  await run.tx
    .insertInto("card_templates")
    .values({ card_id: cardId, app_id: appId, ...template })
    .onConflict((conflict) => conflict.column("card_id").doUpdateSet(template))
    .execute();
  await forgetOtherVersion(run.tx, cardId, template);
  run.report.change({
    entity: applied.entity,
    item,
    ...(kept && { before: `version ${kept.version}` }),
    after: `version ${template.version}`,
  });
  await place.audit({
    action: kept === undefined ? "template.create" : "template.save",
    target: `template:${cardId}`,
    before: kept === undefined ? null : { name: kept.name, version: kept.version },
    after: { name: template.name, version: template.version },
  });
}
