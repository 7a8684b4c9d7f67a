import { nameFit } from "@portico/protocol/names";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { memberApi } from "../../shared/session/member.ts";
import { useOptionKeys } from "../../shared/talk/composer/use-option-keys.ts";
import type { Mentionable, MentionQuery } from "./mention-query.ts";

const SHOWN = 8;

/** The people and bots whose names fit what is being typed, and which of them the keyboard is on. */
export function useMentions(
  conversationId: string,
  query: MentionQuery | null,
  onChoose: (chosen: Mentionable) => void,
) {
  const keyword = query?.typed ?? "";
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["mentionable", conversationId, query?.typed],
    queryFn: ({ signal }) =>
      memberApi.listMembers({ params: { conversationId }, query: { keyword, limit: SHOWN } }, { signal }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const items = query === null ? [] : (data?.items ?? []);
  // Until the answer is there, those of the answer before that still fit: Enter must not choose somebody else.
  const options = isPlaceholderData ? items.filter((item) => nameFit(item, keyword) !== null) : items;
  return { options, ...useOptionKeys(query === null ? "" : `${query.start} ${keyword}`, options, onChoose) };
}
