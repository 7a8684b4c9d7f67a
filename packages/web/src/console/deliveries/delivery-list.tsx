import { Button, Pagination } from "antd";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { Waiting } from "../../shared/ui/waiting.tsx";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import log from "../log/log.module.css";
import { LogTable } from "../log/log-table.tsx";
import { useAddress } from "../log/use-address.ts";
import { LOG } from "../log/words.ts";
import { DeliveryDetail } from "./delivery-detail.tsx";
import { type DeliveryFilter, isNarrowed, NO_FILTER, PAGE_SIZE } from "./delivery-filter.ts";
import { type Delivery, useDeliveries, useDelivery } from "./delivery-queries.ts";
import { DeliveryState } from "./delivery-state.tsx";
import { REASONS, wordOfReason } from "./reason-words.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { DELIVERIES } from "./words.ts";

/** A page of deliveries; the owner may select some to be sent again. */
export function DeliveryList({
  app,
  isOwner,
  filter,
  refetchInterval,
}: {
  app: AppDetail;
  isOwner: boolean;
  filter: DeliveryFilter;
  refetchInterval: number | false;
}) {
  const { appId } = app;
  const [params, change] = useAddress();
  const openId = params.get("open") || undefined;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { data, error, refetch } = useDeliveries(appId, filter, refetchInterval);
  const { data: opened } = useDelivery(appId, openId);
  if (data === undefined)
    return error === null ? <Waiting rows={8} /> : <ErrorNotice error={error} onRetry={refetch} />;
  const isGone = opened !== undefined && data.items.every(({ eventId }) => eventId !== openId);
  // What is being read stays on the page, even when newer events have pushed it off.
  const items: Delivery[] = isGone ? [opened, ...data.items] : data.items;
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={refetch} />}
      {isOwner && <SelectionBar appId={appId} selected={selected} onDone={() => setSelected(new Set())} />}
      {items.length === 0 ? (
        <NoDeliveries filter={filter} />
      ) : (
        <DeliveryTable
          items={items}
          openId={openId}
          onOpen={(open) => change({ open })}
          selected={isOwner ? selected : undefined}
          onSelect={setSelected}
          detail={({ eventId }) => <DeliveryDetail appId={appId} eventId={eventId} isOwner={isOwner} />}
        />
      )}
      {data.total > PAGE_SIZE && (
        <div className={log.paging}>
          <Pagination
            current={filter.page}
            pageSize={PAGE_SIZE}
            total={data.total}
            showSizeChanger={false}
            responsive
            onChange={(page) => change({ page: page === 1 ? undefined : page, open: undefined })}
          />
        </div>
      )}
    </>
  );
}

function NoDeliveries({ filter }: { filter: DeliveryFilter }) {
  const say = useWords(DELIVERIES);
  const sayLog = useWords(LOG);
  const [, change] = useAddress();
  if (isNarrowed(filter) || filter.page > 1) {
    const clear = <Button onClick={() => change(NO_FILTER)}>{sayLog("clearFilters")}</Button>;
    return <EmptyState title={sayLog("nothingFound")} hint={sayLog("nothingFoundHint")} action={clear} />;
  }
  const subscribe = (
    <Link to="../events" relative="path">
      {say("emptyAction")}
    </Link>
  );
  return <EmptyState title={say("empty")} hint={say("emptyHint")} action={subscribe} />;
}

function DeliveryTable({
  items,
  openId,
  onOpen,
  selected,
  onSelect,
  detail,
}: {
  items: readonly Delivery[];
  openId: string | undefined;
  onOpen: (id: string | undefined) => void;
  /** Undefined for those who may not send anything again. */
  selected: ReadonlySet<string> | undefined;
  onSelect: (selected: ReadonlySet<string>) => void;
  detail: (delivery: Delivery) => ReactNode;
}) {
  const say = useWords(DELIVERIES);
  const sayReason = useWords(REASONS);
  return (
    <LogTable<Delivery>
      label={say("title")}
      columns={[
        { title: say("state"), cell: ({ status }) => <DeliveryState status={status} /> },
        {
          title: say("event"),
          kind: "main",
          cell: ({ eventType, eventId }) => (
            <>
              <code>{eventType}</code>
              <code className={log.second}>{eventId}</code>
            </>
          ),
        },
        {
          title: say("answer"),
          kind: "wide",
          cell: ({ lastStatus, lastReason }) =>
            lastStatus ?? (lastReason === null ? "–" : wordOfReason(lastReason, sayReason)),
        },
        { title: say("tries"), kind: "wide-number", cell: ({ attemptCount }) => attemptCount },
        { title: say("happened"), kind: "number", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
      ]}
      items={items}
      idOf={({ eventId }) => eventId}
      openId={openId}
      onOpen={onOpen}
      detail={detail}
      selection={
        selected && {
          selected,
          onChange: onSelect,
          label: ({ eventId }) => say("select", { eventId }),
          canSelect: ({ status }) => status !== "DROPPED",
        }
      }
    />
  );
}
