import { DELIVERY_STATES } from "@portico/protocol";
import { Button, Select } from "antd";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { eventTypesFor } from "../app/event-types.ts";
import { TimeRangeFilter } from "../log/time-range-filter.tsx";
import type { AddressChange } from "../log/use-address.ts";
import { LOG } from "../log/words.ts";
import { type DeliveryFilter, isNarrowed, NO_FILTER } from "./delivery-filter.ts";
import { DELIVERIES } from "./words.ts";

/** What narrows the list of deliveries. */
export function DeliveryFilters({
  type,
  filter,
  onChange,
}: {
  type: AppDetail["type"];
  filter: DeliveryFilter;
  onChange: (changes: AddressChange) => void;
}) {
  const say = useWords(DELIVERIES);
  const sayLog = useWords(LOG);
  const { eventType, status, range } = filter;
  // Another filter means another list: from its first page on.
  const narrow = (changes: AddressChange) => onChange({ ...changes, page: undefined });
  return (
    <>
      <Select
        aria-label={say("event")}
        value={eventType ?? ""}
        popupMatchSelectWidth={false}
        options={[
          { value: "", label: say("anyEvent") },
          ...eventTypesFor(type).map((value) => ({ value, label: value })),
        ]}
        onChange={(value) => narrow({ eventType: value })}
      />
      <Select
        aria-label={say("state")}
        value={status ?? ""}
        popupMatchSelectWidth={false}
        options={[
          { value: "", label: say("anyState") },
          ...DELIVERY_STATES.map((value) => ({ value, label: say(value) })),
        ]}
        onChange={(value) => narrow({ status: value })}
      />
      <TimeRangeFilter range={range} onChange={narrow} />
      {isNarrowed(filter) && (
        <Button type="text" onClick={() => onChange(NO_FILTER)}>
          {sayLog("clearFilters")}
        </Button>
      )}
    </>
  );
}
