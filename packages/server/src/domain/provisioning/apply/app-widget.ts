import type { WidgetSettings } from "@portico/protocol/schemas";
import { findWidget, setWidget } from "../../applications/widget-store.ts";
import { isTimeZone } from "../../customer-service/opening-hours.ts";
import type { Given } from "../applied-state.ts";
import { ProvisioningError } from "../provisioning-error.ts";
import type { AppEntry } from "../schema.ts";
import type { AppPlace } from "./app-place.ts";
import { changesOf, countOf } from "./apply-fields.ts";

/** An application's widget, each setting an item of its own. */
type WidgetFields = { anonymousVisitors: boolean } & {
  [Name in keyof WidgetSettings as `widget.${Name}`]: WidgetSettings[Name];
};

/** Applies how an application's widget looks, and whether visitors need a name. */
export async function provisionWidget(place: AppPlace): Promise<void> {
  const { run, applied, app, appId, path } = place;
  const given = givenOf(app);
  const items = countOf(given);
  if (items === 0) return;
  checkHours(app.widget?.openingHours ?? null, `${path}.widget.openingHours`);
  if (!applied.hasChanges(given)) {
    run.report.unchanged += items;
    return;
  }
  if ((await place.lock()).type !== "CUSTOMER_SERVICE") {
    throw new ProvisioningError(path, "has a widget, which only apps of type CUSTOMER_SERVICE have");
  }
  const { anonymousVisitors, widget } = await findWidget(run.tx, appId);
  const current: Partial<WidgetFields> = { anonymousVisitors, ...named(widget) };
  const changes = changesOf<Partial<WidgetFields>>(run, applied, current, given);
  if (changes === null) return;
  const changed = new Map(Object.entries(changes.after));
  await setWidget(run.tx, appId, {
    anonymousVisitors: changes.after.anonymousVisitors ?? anonymousVisitors,
    widget: withChanges(widget, changed),
  });
  await place.audit({ action: "app.update", target: `app:${appId}`, before: changes.before, after: changes.after });
}

function givenOf({ anonymousVisitors, widget = {} }: AppEntry): Given<Partial<WidgetFields>> {
  return { anonymousVisitors, ...named(widget) };
}

/** The settings by the names of their items. */
function named(settings: Partial<WidgetSettings>): Partial<WidgetFields> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`widget.${name}`, value]));
}

function withChanges(widget: WidgetSettings, changed: ReadonlyMap<string, unknown>): WidgetSettings {
  const entries = Object.entries(widget).map(([name, value]) => {
    const item = `widget.${name}`;
    return [name, changed.has(item) ? changed.get(item) : value];
  });
  return Object.fromEntries(entries) as WidgetSettings;
}

/** @throws ProvisioningError for hours that the console would refuse, too. */
function checkHours(hours: WidgetSettings["openingHours"], path: string): void {
  if (hours === null) return;
  if (!isTimeZone(hours.timeZone)) throw new ProvisioningError(`${path}.timeZone`, "is no time zone");
  const index = hours.days.findIndex(({ from, to }) => from >= to);
  if (index !== -1) throw new ProvisioningError(`${path}.days[${index}]`, "ends before it begins");
}
