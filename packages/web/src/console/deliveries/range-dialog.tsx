import { DELIVERY_STATES, type DeliveryState, type EventType } from "@portico/protocol";
import { Button, Form, Select } from "antd";
import { useState } from "react";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { eventTypesFor } from "../app/event-types.ts";
import { TimeInput } from "../lists/time-input.tsx";
import { boundsOf } from "../lists/time-range.ts";
import { LISTS } from "../lists/words.ts";
import { whilePending } from "../ui/action-dialog.tsx";
import { Modal } from "../ui/modal.tsx";
import styles from "./deliveries.module.css";
import type { DeliveryFilter } from "./delivery-filter.ts";
import { type DeliveryRange, useRedeliverRange } from "./delivery-queries.ts";
import { DELIVERIES } from "./words.ts";

const MINUTE_MS = 60_000;

/** Chooses a range of deliveries to be sent again; it begins with what the list is narrowed to. */
export function RangeDialog({
  app,
  filter,
  onStarted,
  onCancel,
}: {
  app: AppDetail;
  filter: DeliveryFilter;
  onStarted: (jobId: string) => void;
  onCancel: () => void;
}) {
  const say = useWords(DELIVERIES);
  const sayShared = useWords(SHARED);
  const redeliver = useRedeliverRange(app.appId);
  const [range, setRange] = useState<Partial<DeliveryRange>>(() => rangeOfFilter(filter, Date.now()));
  const [fault, setFault] = useState<"rangeNeeded" | "rangeReversed">();
  const start = () => {
    const { from, to, ...rest } = range;
    if (from === undefined || to === undefined) return setFault("rangeNeeded");
    if (to < from) return setFault("rangeReversed");
    setFault(undefined);
    // A field of minutes means the whole of its last one.
    redeliver.mutate({ ...rest, from, to: to + MINUTE_MS - 1 }, { onSuccess: ({ jobId }) => onStarted(jobId) });
  };
  return (
    <Modal
      title={say("rangeTitle")}
      {...whilePending(redeliver.isPending)}
      onCancel={onCancel}
      footer={
        <>
          <Button disabled={redeliver.isPending} onClick={onCancel}>
            {sayShared("cancel")}
          </Button>
          <Button type="primary" loading={redeliver.isPending} onClick={start}>
            {say("sendRange")}
          </Button>
        </>
      }
    >
      <p className={styles.rangeText}>{say("rangeText")}</p>
      <RangeFields app={app} range={range} onChange={setRange} fault={fault === undefined ? undefined : say(fault)} />
      {redeliver.error !== null && <ErrorNotice error={redeliver.error} />}
    </Modal>
  );
}

function rangeOfFilter({ eventType, status, range }: DeliveryFilter, now: number): Partial<DeliveryRange> {
  const { from, to } = boundsOf(range, now);
  return {
    ...(from !== undefined && { from: wholeMinute(from), to: wholeMinute(to ?? now) }),
    ...(eventType !== undefined && { eventType }),
    ...(status !== undefined && status !== "DROPPED" && { status }),
  };
}

function wholeMinute(time: number): number {
  return time - (time % MINUTE_MS);
}

function RangeFields({
  app,
  range: { from, to, eventType, status },
  onChange,
  fault,
}: {
  app: AppDetail;
  range: Partial<DeliveryRange>;
  onChange: (change: (before: Partial<DeliveryRange>) => Partial<DeliveryRange>) => void;
  fault: string | undefined;
}) {
  const say = useWords(DELIVERIES);
  const sayLists = useWords(LISTS);
  const set = <Name extends keyof DeliveryRange>(name: Name, value: DeliveryRange[Name] | undefined) =>
    onChange(({ [name]: _, ...rest }) => (value === undefined ? rest : { ...rest, [name]: value }));
  return (
    <Form layout="vertical">
      <Form.Item label={sayLists("time")} {...(fault !== undefined && { validateStatus: "error", help: fault })}>
        <span className={styles.range}>
          <TimeInput label={sayLists("from")} value={from} onChange={(time) => set("from", time)} />
          <span aria-hidden="true">–</span>
          <TimeInput label={sayLists("to")} value={to} onChange={(time) => set("to", time)} />
        </span>
      </Form.Item>
      <Form.Item label={say("event")}>
        <Select<EventType | "">
          value={eventType ?? ""}
          aria-label={say("event")}
          options={[
            { value: "", label: say("anyEvent") },
            ...eventTypesFor(app.type).map((value) => ({ value, label: value })),
          ]}
          onChange={(value) => set("eventType", value || undefined)}
        />
      </Form.Item>
      <Form.Item label={say("state")}>
        <Select<DeliveryState | "">
          value={status ?? ""}
          aria-label={say("state")}
          options={[
            { value: "", label: say("anyState") },
            ...DELIVERY_STATES.filter((each) => each !== "DROPPED").map((value) => ({ value, label: say(value) })),
          ]}
          onChange={(value) => set("status", value || undefined)}
        />
      </Form.Item>
    </Form>
  );
}
