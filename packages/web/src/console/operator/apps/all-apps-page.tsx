import { APP_STATES, APP_TYPES } from "@portico/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { operatorApi } from "../../../shared/session/console.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { Page } from "../../../shared/ui/page.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { APP_STATE_WORDS, APP_TYPE_WORDS } from "../../app/app-status.tsx";
import { APPS } from "../../apps/words.ts";
import { oneOf, pageIn, useAddress } from "../../lists/address.ts";
import { FilterBar } from "../../lists/filter-bar.tsx";
import { FilterSelect } from "../../lists/filter-select.tsx";
import { PAGE_SIZE } from "../../lists/paging-bar.tsx";
import { SearchBox } from "../../lists/search-box.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { CONSOLE } from "../../words.ts";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { TenantSelect } from "../tenant/tenant-select.tsx";
import { AllAppsTable } from "./all-apps-table.tsx";
import { ALL_APPS } from "./words.ts";

/** The applications of all tenants. */
export function AllAppsPage() {
  const say = useWords(ALL_APPS);
  const sayApps = useWords(APPS);
  const sayConsole = useWords(CONSOLE);
  const sayOperator = useWords(OPERATOR);
  const { params, change, narrow } = useAddress();
  const filter = {
    keyword: params.get("search") || undefined,
    status: oneOf(params.get("status"), APP_STATES),
    type: oneOf(params.get("type"), APP_TYPES),
    tenantId: params.get("tenant") || undefined,
  };
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "apps", filter, pageIn(params)],
    queryFn: ({ signal }) =>
      operatorApi.listApps({ query: { ...filter, page: pageIn(params), pageSize: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });
  const isNarrowed = Object.values(filter).some((part) => part !== undefined);
  return (
    <Page title={sayOperator("applications")} lead={say("lead")}>
      <FilterBar>
        <SearchBox label={sayApps("search")} value={filter.keyword ?? ""} onSearch={(search) => narrow({ search })} />
        <TenantSelect value={filter.tenantId} all={say("allTenants")} onChange={(tenant) => narrow({ tenant })} />
        <FilterSelect
          label={sayApps("type")}
          all={sayApps("allTypes")}
          value={filter.type}
          options={APP_TYPES.map((each) => ({ value: each, label: sayConsole(APP_TYPE_WORDS[each]) }))}
          onChange={(type) => narrow({ type })}
        />
        <FilterSelect
          label={sayApps("status")}
          all={sayApps("allStates")}
          value={filter.status}
          options={APP_STATES.map((each) => ({ value: each, label: sayConsole(APP_STATE_WORDS[each]) }))}
          onChange={(status) => narrow({ status })}
        />
      </FilterBar>
      <QueryView query={query}>
        {(apps) => (
          <AllAppsTable
            apps={apps}
            onPage={(page) => change({ page })}
            empty={
              <EmptyState
                title={isNarrowed ? sayApps("noneFound") : say("none")}
                hint={isNarrowed ? sayOperator("noneFoundHint") : say("noneHint")}
              />
            }
          />
        )}
      </QueryView>
    </Page>
  );
}
