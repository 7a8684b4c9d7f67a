import { DEFAULT_WIDGET_SETTINGS, type WidgetSettings, WidgetSettingsBodySchema } from "@portico/protocol/schemas";
import { Compile } from "typebox/compile";
import { prepared } from "../../platform/storage/prepared.ts";
import type { Db } from "../../platform/storage/schema.ts";

/** What the owner of an application has set for its widget. */
export interface AppWidget {
  anonymousVisitors: boolean;
  widget: WidgetSettings;
}

const selectOne = prepared<{ appId: string }>()((db, param) =>
  db
    .selectFrom("app_widgets")
    .select(["anonymous_visitors as anonymous", "settings"])
    .where("app_id", "=", param("appId")),
);

const settings = Compile(WidgetSettingsBodySchema);

/** The widget of an application; the defaults where its owner has set nothing. */
export async function findWidget(db: Db, appId: string): Promise<AppWidget> {
  const row = await selectOne.first(db, { appId });
  const stored: unknown = JSON.parse(row?.settings ?? "{}");
  const own = settings.Check(stored) ? stored : {};
  return { anonymousVisitors: row?.anonymous === 1, widget: { ...DEFAULT_WIDGET_SETTINGS, ...own } };
}

/** Which of several applications take visitors without a name. */
export async function findOpenToAnybody(db: Db, appIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("app_widgets")
    .select("app_id as appId")
    .where("app_id", "in", appIds)
    .where("anonymous_visitors", "=", 1)
    .execute();
  return new Set(rows.map(({ appId }) => appId));
}

/** Stores the widget of a locked application. */
export async function setWidget(tx: Db, appId: string, { anonymousVisitors, widget }: AppWidget): Promise<void> {
  const values = { anonymous_visitors: anonymousVisitors ? 1 : 0, settings: JSON.stringify(widget) };
  await tx
    .insertInto("app_widgets")
    .values({ app_id: appId, ...values })
    .onConflict((conflict) => conflict.column("app_id").doUpdateSet(values))
    .execute();
}
