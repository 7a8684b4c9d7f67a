import { Button } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useAddress } from "../lists/address.ts";
import { LISTS } from "../lists/words.ts";
import { Waiting } from "../ui/waiting.tsx";
import { type DeliveryFilter, isNarrowed, NO_FILTER } from "./delivery-filter.ts";
import { type Delivery, useDeliveries, useDelivery } from "./delivery-queries.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { DELIVERIES } from "./words.ts";

/** A page of deliveries; the owner may select some to be sent again. */
export function DeliveryList({
  appId,
  isOwner,
  filter,
  refetchInterval,
}: {
  appId: string;
  isOwner: boolean;
  filter: DeliveryFilter;
  refetchInterval: number | false;
}) {
  const { params, change } = useAddress();
  const openId = params.get("open") || undefined;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = useDeliveries(appId, filter, refetchInterval);
  const { data: opened } = useDelivery(appId, openId);
  const retry = () => void refetch();
  if (data === undefined) return error === null ? <Waiting rows={8} /> : <ErrorNotice error={error} onRetry={retry} />;
  const isGone = opened !== undefined && data.items.every(({ eventId }) => eventId !== openId);
  // What is being read stays on the page, even when newer events have pushed it off.
  const items: Delivery[] = isGone ? [opened, ...data.items] : data.items;
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {isOwner && <SelectionBar appId={appId} selected={selected} onDone={() => setSelected(new Set())} />}
      <DeliveryTable
        appId={appId}
        isOwner={isOwner}
        items={items}
        openId={openId}
        onOpen={(open) => change({ open })}
        selected={selected}
        onSelect={setSelected}
        paging={{ page: filter.page, total: data.total, onPage: (page) => change({ page, open: undefined }) }}
        empty={<NoDeliveries filter={filter} />}
      />
    </>
  );
}

function NoDeliveries({ filter }: { filter: DeliveryFilter }) {
  const say = useWords(DELIVERIES);
  const sayLists = useWords(LISTS);
  const { narrow } = useAddress();
  if (isNarrowed(filter) || filter.page > 1) {
    const clear = <Button onClick={() => narrow(NO_FILTER)}>{sayLists("clearFilters")}</Button>;
    return <EmptyState title={sayLists("nothingFound")} hint={sayLists("nothingFoundHint")} action={clear} />;
  }
  const subscribe = (
    <Link to="../events" relative="path">
      {say("emptyAction")}
    </Link>
  );
  return <EmptyState title={say("empty")} hint={say("emptyHint")} action={subscribe} />;
}
