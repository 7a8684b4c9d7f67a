import type { AuditEntry } from "@portico/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { consoleApi } from "../../shared/session/console.ts";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { appKey } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { oneOf, useAddress } from "../lists/address.ts";
import { FilterBar } from "../lists/filter-bar.tsx";
import { FilterSelect } from "../lists/filter-select.tsx";
import { Waiting } from "../ui/waiting.tsx";
import { ACTION_WORDS, APP_ACTIONS } from "./actions.ts";
import styles from "./audit-table.module.css";
import { AuditTable } from "./audit-table.tsx";
import { AUDIT } from "./words.ts";

const PAGE_SIZE = 50;
/** Entries of all pages that are kept in memory. */
const MOST_PAGES = 40;

/** What people have changed of an application, newest first. */
export function AuditLogPage() {
  const say = useWords(AUDIT);
  const sayApp = useWords(APP);
  const { params, narrow } = useAddress();
  const action = oneOf(params.get("action"), APP_ACTIONS);
  const log = useAuditQuery(action);
  const entries = log.data?.pages.flatMap(({ items }) => items);
  return (
    <Page title={sayApp("auditLog")} lead={say("lead")}>
      <FilterBar>
        <FilterSelect
          label={say("action")}
          all={say("allActions")}
          value={action}
          options={APP_ACTIONS.map((each) => ({ value: each, label: say(ACTION_WORDS[each]) }))}
          onChange={(chosen) => narrow({ action: chosen })}
        />
      </FilterBar>
      {log.isError && <ErrorNotice error={log.error} onRetry={() => void log.refetch()} />}
      {entries === undefined && !log.isError && <Waiting rows={6} />}
      {entries !== undefined && <Entries entries={entries} log={log} />}
    </Page>
  );
}

function Entries({ entries, log }: { entries: AuditEntry[]; log: ReturnType<typeof useAuditQuery> }) {
  const say = useWords(AUDIT);
  const sayShared = useWords(SHARED);
  return (
    <>
      <AuditTable
        entries={entries}
        empty={!log.hasNextPage && <EmptyState title={say("none")} hint={say("noneHint")} />}
      />
      {!log.hasNextPage && log.data?.pages.at(-1)?.nextBefore != null && <p className={styles.end}>{say("most")}</p>}
      {log.hasNextPage && (
        <div>
          <Button loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {sayShared("loadMore")}
          </Button>
        </div>
      )}
    </>
  );
}

function useAuditQuery(action: string | undefined) {
  const { appId } = useApp().app;
  return useInfiniteQuery({
    queryKey: [...appKey(appId), "audit", action],
    queryFn: ({ signal, pageParam }) => {
      const query = { action, before: pageParam, limit: PAGE_SIZE };
      return consoleApi.listAudit({ params: { appId }, query }, { signal });
    },
    // Entries never change, and all pages would be asked for again.
    refetchOnWindowFocus: false,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }, pages) => (pages.length < MOST_PAGES ? (nextBefore ?? undefined) : undefined),
  });
}
