import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
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
import { TenantSelect } from "../tenant/tenant-select.tsx";

/** What is asked for of a list. */
interface Filter {
  keyword: string | undefined;
  page: number;
  pageSize: number;
}

/** What a table of the list needs beside its rows. */
interface TableParts {
  onPage: (page: number) => void;
  empty: ReactNode;
}

/** A list of what an operator keeps, such as tenants: with a search over it, in pages, and what can be added to it. */
export function DirectoryPage<Answer>({
  name,
  lead,
  searchLabel,
  tenantId,
  list,
  none,
  actions,
  children,
}: {
  name: "tenants" | "members" | "groups" | "developers";
  lead: string;
  searchLabel: string;
  /** Of a list that each tenant has its own of. */
  tenantId?: string;
  list: (filter: Filter, signal: AbortSignal) => Promise<Answer>;
  /** What is said while there is nothing at all. */
  none?: { title: string; hint: string };
  actions: ReactNode;
  children: (answer: Answer, parts: TableParts) => ReactNode;
}) {
  const say = useWords(OPERATOR);
  const { params, change, narrow } = useAddress();
  const keyword = params.get("search") || undefined;
  const filter = { keyword, page: pageIn(params), pageSize: PAGE_SIZE };
  const query = useQuery({
    queryKey: [OPERATOR_KEY, name, tenantId, filter],
    queryFn: ({ signal }) => list(filter, signal),
    placeholderData: keepPreviousData,
  });
  const nothing = none !== undefined && keyword === undefined ? none : undefined;
  const empty = <EmptyState {...(nothing ?? { title: say("noneFound"), hint: say("noneFoundHint") })} />;
  return (
    <Page title={say(name)} lead={lead} actions={actions}>
      <FilterBar>
        {tenantId !== undefined && (
          <TenantSelect value={tenantId} onChange={(tenant) => narrow({ tenant, search: undefined })} />
        )}
        <SearchBox label={searchLabel} value={keyword ?? ""} onSearch={(search) => narrow({ search })} />
      </FilterBar>
      <QueryView query={query}>{(answer) => children(answer, { onPage: (page) => change({ page }), empty })}</QueryView>
    </Page>
  );
}
