import type { CannedReply } from "@portico/protocol/schemas";
import { useQuery } from "@tanstack/react-query";
import { useOptionKeys } from "../../shared/talk/composer/use-option-keys.ts";
import { deskApi } from "../live/desk-api.ts";
import { type CannedQuery, fittingReplies } from "./canned-query.ts";

/** The canned replies of an application. */
export function useCannedReplies(appId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["canned", appId],
    queryFn: ({ signal }) => deskApi.listCannedReplies({ params: { appId } }, { signal }),
    enabled: isWanted,
    staleTime: 30_000,
  });
}

/** The canned replies that fit what is being typed, and which of them the keyboard is on. */
export function useCanned(appId: string, query: CannedQuery | null, onChoose: (chosen: CannedReply) => void) {
  const { data, error, refetch } = useCannedReplies(appId, query !== null);
  const options = query === null ? [] : fittingReplies(data?.items ?? [], query.prefix);
  const list = query === null ? "" : `${query.start} ${query.prefix}`;
  return { options, error, retry: () => void refetch(), ...useOptionKeys(list, options, onChoose) };
}
