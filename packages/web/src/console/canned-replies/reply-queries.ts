import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { consoleApi } from "../../shared/session/console.ts";
import { appKey } from "../app/app-queries.ts";
import { PAGE_SIZE } from "../lists/paging-bar.tsx";

/** A page of an application's canned replies, by shortcut. */
export function useCannedReplies(appId: string, page: number) {
  return useQuery({
    queryKey: [...appKey(appId), "canned-replies", page],
    queryFn: ({ signal }) =>
      consoleApi.listCannedReplies({ params: { appId }, query: { page, pageSize: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

type ReplyPage = Awaited<ReturnType<typeof consoleApi.listCannedReplies>>;

/** A text that agents insert by its shortcut. */
export type CannedReply = ReplyPage["items"][number];
