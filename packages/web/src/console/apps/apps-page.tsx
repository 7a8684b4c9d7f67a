import { APP_STATES, APP_TYPES } from "@portico/protocol";
import { Button } from "antd";
import { lazy, Suspense, useState } from "react";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { APP_STATE_WORDS, APP_TYPE_WORDS } from "../app/app-status.tsx";
import { oneOf, pageIn, useAddress } from "../lists/address.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { FilterSelect } from "../lists/filter-select.tsx";
import { PAGE_SIZE } from "../lists/paging-bar.tsx";
import { SearchBox } from "../lists/search-box.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { CONSOLE } from "../words.ts";
import { useAppsQuery } from "./apps-queries.ts";
import { AppsTable } from "./apps-table.tsx";
import { APPS } from "./words.ts";

const NewAppDialogs = lazy(async () => ({ default: (await import("./new-app-dialogs.tsx")).NewAppDialogs }));

/** The applications of the developer's tenants. */
export function AppsPage() {
  const say = useWords(APPS);
  const sayConsole = useWords(CONSOLE);
  const [isCreating, setCreating] = useState(false);
  const { params, change, narrow } = useAddress();
  const keyword = params.get("search") ?? "";
  const status = oneOf(params.get("status"), APP_STATES);
  const type = oneOf(params.get("type"), APP_TYPES);
  const query = useAppsQuery({
    keyword: keyword || undefined,
    status,
    type,
    page: pageIn(params),
    pageSize: PAGE_SIZE,
  });
  const isNarrowed = keyword !== "" || status !== undefined || type !== undefined;
  return (
    <Page
      title={sayConsole("apps")}
      lead={say("lead")}
      actions={
        <Button type="primary" onClick={() => setCreating(true)}>
          {say("newApp")}
        </Button>
      }
    >
      <FilterBar>
        <SearchBox label={say("search")} value={keyword} onSearch={(search) => narrow({ search })} />
        <FilterSelect
          label={say("type")}
          all={say("allTypes")}
          value={type}
          options={APP_TYPES.map((each) => ({ value: each, label: sayConsole(APP_TYPE_WORDS[each]) }))}
          onChange={(chosen) => narrow({ type: chosen })}
        />
        <FilterSelect
          label={say("status")}
          all={say("allStates")}
          value={status}
          options={APP_STATES.map((each) => ({ value: each, label: sayConsole(APP_STATE_WORDS[each]) }))}
          onChange={(chosen) => narrow({ status: chosen })}
        />
      </FilterBar>
      <QueryView query={query}>
        {(apps) => (
          <AppsTable
            apps={apps}
            onPage={(chosen) => change({ page: chosen })}
            empty={
              isNarrowed ? (
                <EmptyState title={say("noneFound")} hint={say("noneFoundHint")} />
              ) : (
                <EmptyState title={say("none")} hint={say("noneHint")} />
              )
            }
          />
        )}
      </QueryView>
      {isCreating && (
        <Suspense>
          <NewAppDialogs onDone={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  );
}
