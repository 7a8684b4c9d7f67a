import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { oneOf, pageIn, useAddress } from "../lists/address.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { FilterSelect } from "../lists/filter-select.tsx";
import { PAGE_SIZE } from "../lists/paging-bar.tsx";
import { SearchBox } from "../lists/search-box.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { VisitorsTable } from "./visitors-table.tsx";
import { VISITORS } from "./words.ts";

const STATES = ["enabled", "disabled"] as const;

/** Who has come to an application for customer service. */
export function VisitorsPage() {
  const say = useWords(VISITORS);
  const sayApp = useWords(APP);
  const { app } = useApp();
  return (
    <Page title={sayApp("visitors")} lead={say("lead")}>
      {app.type === "CUSTOMER_SERVICE" ? <Visitors /> : <EmptyState title={say("notService")} />}
    </Page>
  );
}

function Visitors() {
  const say = useWords(VISITORS);
  const { appId } = useApp().app;
  const { params, change, narrow } = useAddress();
  const keyword = params.get("search") ?? "";
  const state = oneOf(params.get("status"), STATES);
  const filter = { keyword: keyword || undefined, status: statusOf(state), page: pageIn(params), pageSize: PAGE_SIZE };
  const query = useQuery({
    queryKey: [...appKey(appId), "visitors", filter],
    queryFn: ({ signal }) => consoleApi.listVisitors({ params: { appId }, query: filter }, { signal }),
    placeholderData: keepPreviousData,
  });
  const isNarrowed = keyword !== "" || state !== undefined;
  return (
    <>
      <FilterBar>
        <SearchBox label={say("search")} value={keyword} onSearch={(search) => narrow({ search })} />
        <FilterSelect
          label={say("state")}
          all={say("allStates")}
          value={state}
          options={STATES.map((each) => ({ value: each, label: say(each) }))}
          onChange={(chosen) => narrow({ status: chosen })}
        />
      </FilterBar>
      <QueryView query={query}>
        {(visitors) => (
          <VisitorsTable
            visitors={visitors}
            onPage={(chosen) => change({ page: chosen })}
            empty={
              <EmptyState
                title={say(isNarrowed ? "noneFound" : "none")}
                hint={say(isNarrowed ? "noneFoundHint" : "noneHint")}
              />
            }
          />
        )}
      </QueryView>
    </>
  );
}

/** As the API says it: 0 is disabled. */
function statusOf(state: (typeof STATES)[number] | undefined): 0 | 1 | undefined {
  if (state === undefined) return undefined;
  return state === "enabled" ? 1 : 0;
}
