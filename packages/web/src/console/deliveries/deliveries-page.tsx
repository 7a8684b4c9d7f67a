import { Button } from "antd";
import { useState } from "react";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAddress } from "../lists/address.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { LiveButton, useLive } from "../lists/live-button.tsx";
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
  const { params, change, narrow } = useAddress();
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
      <FilterBar>
        <DeliveryFilters type={app.type} filter={filter} onChange={narrow} />
      </FilterBar>
      <DeliveryList
        // What is selected in one list is not sent again from another, in which it may not be seen.
        key={JSON.stringify({ ...filter, page: 0 })}
        appId={app.appId}
        isOwner={isOwner}
        filter={filter}
        refetchInterval={live.refetchInterval}
      />
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
