import { Button } from "antd";
import { useDocsUrl } from "../../shared/session/start-info.ts";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAddress } from "../lists/address.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import lists from "../lists/list-table.module.css";
import { LiveButton, useLive } from "../lists/live-button.tsx";
import { LISTS } from "../lists/words.ts";
import { Waiting } from "../ui/waiting.tsx";
import { FoundRequest } from "./found-request.tsx";
import { filterOf, isNarrowed, NO_FILTER, type RequestFilter } from "./request-filter.ts";
import { RequestFilters } from "./request-filters.tsx";
import { useRequest, useRequests } from "./request-queries.ts";
import { RequestSearch } from "./request-search.tsx";
import { RequestTable } from "./request-table.tsx";
import { REQUESTS } from "./words.ts";

/** The log of an application's calls: found by number or filtered; each opens its explanation. */
export function RequestsPage() {
  const say = useWords(REQUESTS);
  const { appId } = useApp().app;
  const { params, narrow } = useAddress();
  const live = useLive();
  const searched = params.get("reqNo") || undefined;
  const filter = filterOf(params);
  return (
    <Page title={say("title")} lead={say("lead")} actions={searched === undefined && <LiveButton live={live} />}>
      <FilterBar>
        <RequestSearch value={searched} onSearch={(reqNo) => narrow({ reqNo })} />
        {searched === undefined && <RequestFilters filter={filter} onChange={narrow} />}
      </FilterBar>
      {searched === undefined ? (
        <RequestList appId={appId} filter={filter} refetchInterval={live.refetchInterval} />
      ) : (
        <FoundRequest key={searched} appId={appId} reqNo={searched} />
      )}
    </Page>
  );
}

function RequestList({
  appId,
  filter,
  refetchInterval,
}: {
  appId: string;
  filter: RequestFilter;
  refetchInterval: number | false;
}) {
  const { params, change } = useAddress();
  const openId = params.get("open") || undefined;
  const { data, error, refetch } = useRequests(appId, filter, refetchInterval);
  const { data: opened } = useRequest(appId, openId);
  const retry = () => void refetch();
  if (data === undefined) return error === null ? <Waiting rows={8} /> : <ErrorNotice error={error} onRetry={retry} />;
  const isGone = opened !== undefined && data.items.every(({ reqNo }) => reqNo !== openId);
  // What is being read stays on the page, even when newer calls have pushed it off.
  const items = isGone ? [opened, ...data.items] : data.items;
  return (
    <>
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {items.length > 0 && (
        <RequestTable appId={appId} items={items} openId={openId} onOpen={(open) => change({ open })} />
      )}
      <RequestListEnd filter={filter} isEmpty={items.length === 0} nextBefore={data.nextBefore} />
    </>
  );
}

/** What stands below the list, or in its place: the way to older calls, or why there are none. */
function RequestListEnd({
  filter,
  isEmpty,
  nextBefore,
}: {
  filter: RequestFilter;
  isEmpty: boolean;
  nextBefore: string | null;
}) {
  const say = useWords(REQUESTS);
  const sayLists = useWords(LISTS);
  const docsUrl = useDocsUrl();
  const { change, narrow } = useAddress();
  if (isEmpty && nextBefore === null) {
    if (filter.before === undefined && !isNarrowed(filter)) {
      const guide = <a href={docsUrl}>{say("emptyAction")}</a>;
      return <EmptyState title={say("empty")} hint={say("emptyHint")} action={guide} />;
    }
    const clear = <Button onClick={() => narrow(NO_FILTER)}>{sayLists("clearFilters")}</Button>;
    return <EmptyState title={sayLists("nothingFound")} hint={sayLists("nothingFoundHint")} action={clear} />;
  }
  return (
    <div className={lists.paging}>
      <span>{isEmpty && say("lookedThrough")}</span>
      <span className={lists.steps}>
        <Button disabled={filter.before === undefined} onClick={() => change({ before: undefined, open: undefined })}>
          {say("newest")}
        </Button>
        <Button
          disabled={nextBefore === null}
          onClick={() => change({ before: nextBefore ?? undefined, open: undefined })}
        >
          {say(isEmpty ? "lookFurther" : "older")}
        </Button>
      </span>
    </div>
  );
}
