import { DELIVERY_STATES, type DeliveryState, type EventType } from "@portico/protocol";
import { Button } from "antd";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { eventTypesFor } from "../app/event-types.ts";
import type { AddressChange } from "../lists/address.ts";
import { FilterSelect } from "../lists/filter-select.tsx";
import { TimeRangeFilter } from "../lists/time-range-filter.tsx";
import { LISTS } from "../lists/words.ts";
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
  const sayLists = useWords(LISTS);
  const { eventType, status, range } = filter;
  return (
    <>
      <FilterSelect<EventType>
        label={say("event")}
        all={say("anyEvent")}
        value={eventType}
        options={eventTypesFor(type).map((value) => ({ value, label: value }))}
        onChange={(value) => onChange({ eventType: value })}
      />
      <FilterSelect<DeliveryState>
        label={say("state")}
        all={say("anyState")}
        value={status}
        options={DELIVERY_STATES.map((value) => ({ value, label: say(value) }))}
        onChange={(value) => onChange({ status: value })}
      />
      <TimeRangeFilter range={range} onChange={onChange} />
      {isNarrowed(filter) && (
        <Button type="text" onClick={() => onChange(NO_FILTER)}>
          {sayLists("clearFilters")}
        </Button>
      )}
    </>
  );
}
