import type { AuditEntry } from "@portico/protocol";
import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { Waiting } from "../ui/waiting.tsx";
import styles from "./audit-table.module.css";
import { AuditTable } from "./audit-table.tsx";
import { AUDIT } from "./words.ts";

const PAGE_SIZE = 50;
/** Entries of all pages that are kept in memory. */
const MOST_PAGES = 40;

/** A page of the audit log, and what the next one is asked for with. */
export interface AuditPage {
  items: AuditEntry[];
  nextBefore: number | null;
}

/** Which page is asked for. */
export interface AuditPlace {
  before: number | undefined;
  limit: number;
}

/** The audit log, page by page, newest first. */
export function useAuditPages(
  queryKey: QueryKey,
  load: (place: AuditPlace & { signal: AbortSignal }) => Promise<AuditPage>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => load({ signal, before: pageParam, limit: PAGE_SIZE }),
    // Entries never change, and all pages would be asked for again.
    refetchOnWindowFocus: false,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }, pages) => (pages.length < MOST_PAGES ? (nextBefore ?? undefined) : undefined),
  });
}

/** What has been loaded of the audit log, and the way to more. */
export function AuditEntries({ log }: { log: ReturnType<typeof useAuditPages> }) {
  const say = useWords(AUDIT);
  const sayShared = useWords(SHARED);
  const entries = log.data?.pages.flatMap(({ items }) => items);
  return (
    <>
      {log.isError && <ErrorNotice error={log.error} onRetry={() => void log.refetch()} />}
      {entries === undefined && !log.isError && <Waiting rows={6} />}
      {entries !== undefined && (
        <AuditTable
          entries={entries}
          empty={!log.hasNextPage && <EmptyState title={say("none")} hint={say("noneHint")} />}
        />
      )}
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
