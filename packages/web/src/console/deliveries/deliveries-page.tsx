import { Button } from "antd";
import { useState } from "react";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { LiveButton, useLive } from "../log/live-button.tsx";
import log from "../log/log.module.css";
import { useAddress } from "../log/use-address.ts";
import { filterOf } from "./delivery-filter.ts";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { RangeDialog } from "./range-dialog.tsx";
import { RedeliveryProgress } from "./redelivery-progress.tsx";
import { DELIVERIES } from "./words.ts";

/** The log of what was delivered to an application's receivers. */
export function DeliveriesPage() {
  const say = useWords(DELIVERIES);
  const { app, isOwner } = useApp();
  const [params, change] = useAddress();
  const [isRangeOpen, setRangeOpen] = useState(false);
  const live = useLive();
  const filter = filterOf(params);
  const jobId = params.get("job") || undefined;
  return (
    <Page
      title={say("title")}
      lead={say("lead")}
      actions={
        <>
          {isOwner && <Button onClick={() => setRangeOpen(true)}>{say("sendRange")}</Button>}
          <LiveButton live={live} />
        </>
      }
    >
      {jobId !== undefined && (
        <RedeliveryProgress
          key={jobId}
          appId={app.appId}
          jobId={jobId}
          isOwner={isOwner}
          onDismiss={() => change({ job: undefined })}
        />
      )}
      <div className={log.filters}>
        <DeliveryFilters type={app.type} filter={filter} onChange={change} />
      </div>
      <DeliveryList app={app} isOwner={isOwner} filter={filter} refetchInterval={live.refetchInterval} />
      {isRangeOpen && (
        <RangeDialog
          app={app}
          filter={filter}
          onStarted={(job) => {
            setRangeOpen(false);
            change({ job });
          }}
          onCancel={() => setRangeOpen(false)}
        />
      )}
    </Page>
  );
}
