import type { DeskApp } from "@portico/protocol/schemas";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { deskApi } from "../live/desk-api.ts";

/** So long nothing has to be typed before the service is asked. */
const STILL_MS = 250;
const LIMIT = 20;

/** What is typed, once it has stood still for a moment. */
export function useStill(text: string): string {
  const [still, setStill] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setStill(text), STILL_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return still;
}

/** Visitors and messages of several applications that contain some words. */
export function useSearch(apps: readonly DeskApp[], words: string) {
  return useQueries({
    queries: apps.map(({ appId }) => ({
      queryKey: ["search", appId, words],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const found = await deskApi.search({ params: { appId }, query: { q: words, limit: LIMIT } }, { signal });
        return { appId, ...found };
      },
      placeholderData: keepPreviousData,
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
}
