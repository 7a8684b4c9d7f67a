import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { Page } from "../../../shared/ui/page.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { pageIn, useAddress } from "../../lists/address.ts";
import { FilterBar } from "../../lists/filter-bar.tsx";
import { PAGE_SIZE } from "../../lists/paging-bar.tsx";
import { SearchBox } from "../../lists/search-box.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { DeveloperDialog } from "./developer-dialog.tsx";
import { DevelopersTable } from "./developers-table.tsx";
import { DEVELOPERS } from "./words.ts";

/** Who may sign in to the console, and who of them operates the platform. */
export function DevelopersPage() {
  const say = useWords(DEVELOPERS);
  const sayOperator = useWords(OPERATOR);
  const [isCreating, setCreating] = useState(false);
  const { params, change, narrow } = useAddress();
  const keyword = params.get("search") || undefined;
  const filter = { keyword, page: pageIn(params), pageSize: PAGE_SIZE };
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "developers", filter],
    queryFn: ({ signal }) => operatorApi.listDevelopers({ query: filter }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title={sayOperator("developers")}
      lead={say("lead")}
      actions={
        <Button type="primary" onClick={() => setCreating(true)}>
          {say("newDeveloper")}
        </Button>
      }
    >
      <FilterBar>
        <SearchBox label={say("search")} value={keyword ?? ""} onSearch={(search) => narrow({ search })} />
      </FilterBar>
      <QueryView query={query}>
        {(developers) => (
          <DevelopersTable
            developers={developers}
            onPage={(page) => change({ page })}
            empty={<EmptyState title={sayOperator("noneFound")} hint={sayOperator("noneFoundHint")} />}
          />
        )}
      </QueryView>
      {isCreating && <DeveloperDialog onDone={() => setCreating(false)} />}
    </Page>
  );
}
