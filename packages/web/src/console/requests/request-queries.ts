import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { queryOf, type RequestFilter } from "./request-filter.ts";

/** A page of an application's calls, newest first. */
export function useRequests(appId: string, filter: RequestFilter, refetchInterval: number | false) {
  return useQuery({
    queryKey: ["app", appId, "requests", filter],
    queryFn: ({ signal }) =>
      consoleApi.listRequests({ params: { appId }, query: queryOf(filter, Date.now()) }, { signal }),
    // What is before a call stays as it is.
    refetchInterval: filter.before === undefined && refetchInterval,
    placeholderData: keepPreviousData,
  });
}

/** What became of one call; nothing is asked while there is no number. */
export function useRequest(appId: string, reqNo: string | undefined) {
  return useQuery({
    queryKey: ["app", appId, "request", reqNo],
    queryFn: ({ signal }) => consoleApi.getRequest({ params: { appId, reqNo: reqNo ?? "" } }, { signal }),
    enabled: reqNo !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A call as the list shows it. */
export type Call = Awaited<ReturnType<typeof consoleApi.listRequests>>["items"][number];
