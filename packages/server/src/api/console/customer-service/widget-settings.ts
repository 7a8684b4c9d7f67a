import { fault } from "@portico/protocol";
import type { WidgetSettingsBody } from "@portico/protocol/schemas";
import { isTimeZone } from "../../../domain/customer-service/opening-hours.ts";
import { ConsoleError } from "../../common/console/console-error.ts";

/**
 * Checks the rules for a widget's settings that their schema does not contain.
 *
 * @throws ConsoleError 400 naming the field.
 */
export function checkWidget({ openingHours }: WidgetSettingsBody = {}): void {
  if (openingHours === undefined || openingHours === null) return;
  if (!isTimeZone(openingHours.timeZone)) throw new ConsoleError("TIME_ZONE_UNKNOWN");
  const index = openingHours.days.findIndex(({ from, to }) => from >= to);
  if (index !== -1) throw new ConsoleError(fault("OPENING_HOURS_INVALID", { index }));
}
