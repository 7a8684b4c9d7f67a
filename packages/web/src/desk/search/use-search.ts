import type { DeskApp, DeskSearch } from "@portico/protocol/schemas";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { deskApi } from "../live/desk-api.ts";

const LIMIT = 20;

/** A page of an application's search; the first has no `before`. */
interface Page {
  appId: string;
  before: number | undefined;
}

/** A page with what was found. */
interface FoundPage extends DeskSearch {
  appId: string;
  before: number | undefined;
}

/** The pages that were asked for after the first, for these words and applications alone. */
interface Asked {
  of: string;
  pages: readonly Page[];
}

/** Visitors and messages of several applications that contain some words: the newest, and on demand what is before them. */
export function useSearch(apps: readonly DeskApp[], words: string) {
  const of = JSON.stringify([words, apps.map(({ appId }) => appId)]);
  const [asked, setAsked] = useState<Asked>({ of, pages: [] });
  const first = apps.map(({ appId }): Page => ({ appId, before: undefined }));
  const pages = [...first, ...(asked.of === of ? asked.pages : [])];
  const search = useQueries({
    queries: pages.map(({ appId, before }) => ({
      queryKey: ["search", appId, words, before],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FoundPage> => {
        const query = { q: words, limit: LIMIT, ...(before !== undefined && { before }) };
        return { appId, before, ...(await deskApi.search({ params: { appId }, query }, { signal })) };
      },
      ...(before === undefined && { placeholderData: keepPreviousData<FoundPage> }),
      staleTime: 10_000,
    })),
    combine: (results) => ({
      found: results.flatMap(({ data }) => data ?? []),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      isPending: results.some(({ isPending, isPlaceholderData }) => isPending || isPlaceholderData),
      retry() {
        for (const { isError, refetch } of results) if (isError) void refetch();
      },
    }),
  });
  const next = nextPages(search.found);
  return {
    ...search,
    hasFurther: !search.isPending && next.length > 0,
    goFurther: () => setAsked({ of, pages: [...(asked.of === of ? asked.pages : []), ...next] }),
  };
}

/** The pages after the last one of each application; none after the end. */
function nextPages(found: readonly FoundPage[]): Page[] {
  const last = new Map(found.map((page) => [page.appId, page]));
  return [...last.values()].flatMap(({ appId, nextBefore }) =>
    nextBefore === null ? [] : [{ appId, before: nextBefore }],
  );
}
