import type { ReactNode } from "react";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import lists from "../lists/list-table.module.css";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import type { Paging } from "../lists/paging-bar.tsx";
import { BrokenName } from "../ui/broken-name.tsx";
import { DeliveryDetail } from "./delivery-detail.tsx";
import type { Delivery } from "./delivery-queries.ts";
import { DeliveryState } from "./delivery-state.tsx";
import { REASONS, wordOfReason } from "./reason-words.ts";
import { DELIVERIES } from "./words.ts";

/** Deliveries, a row each, which opens what is known of it. */
export function DeliveryTable({
  appId,
  isOwner,
  items,
  openId,
  onOpen,
  selected,
  onSelect,
  paging,
  empty,
}: {
  appId: string;
  isOwner: boolean;
  items: readonly Delivery[];
  openId: string | undefined;
  onOpen: (id: string | undefined) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  paging: Paging;
  empty: ReactNode;
}) {
  const say = useWords(DELIVERIES);
  const sayReason = useWords(REASONS);
  const columns: ListColumn<Delivery>[] = [
    { key: "state", title: say("state"), cell: ({ status }) => <DeliveryState status={status} /> },
    {
      key: "event",
      title: say("event"),
      kind: "main",
      cell: ({ eventType, eventId }) => (
        <>
          <code>
            <BrokenName name={eventType} />
          </code>
          <code className={lists.second}>{eventId}</code>
        </>
      ),
    },
    {
      key: "answer",
      title: say("answer"),
      kind: "wide",
      // A DROPPED one may have had answers before it was dropped, which is what its reason says.
      cell: ({ lastStatus, lastReason }) =>
        lastReason === null ? (lastStatus ?? "–") : wordOfReason(lastReason, sayReason),
    },
    { key: "tries", title: say("tries"), kind: "wide-number", cell: ({ attemptCount }) => attemptCount },
    { key: "happened", title: say("happened"), kind: "number", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ];
  const selection = {
    selected,
    onChange: onSelect,
    label: ({ eventId }: Delivery) => say("select", { eventId }),
    canSelect: ({ status }: Delivery) => status !== "DROPPED",
  };
  return (
    <ListTable<Delivery>
      label={say("title")}
      columns={columns}
      rows={items}
      idOf={({ eventId }) => eventId}
      opening={{
        openId,
        onOpen,
        detail: ({ eventId }) => <DeliveryDetail appId={appId} eventId={eventId} isOwner={isOwner} />,
      }}
      selection={isOwner ? selection : undefined}
      paging={paging}
      empty={empty}
    />
  );
}
