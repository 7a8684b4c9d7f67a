import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { memberApi } from "../../shared/session/member.ts";
import { useOptionKeys } from "../../shared/talk/composer/use-option-keys.ts";
import type { Mentionable, MentionQuery } from "./mention-query.ts";

const SHOWN = 8;

/** The people and bots whose names begin with what is being typed, and which of them the keyboard is on. */
export function useMentions(
  conversationId: string,
  query: MentionQuery | null,
  onChoose: (chosen: Mentionable) => void,
) {
  const prefix = query?.prefix ?? "";
  const { data, isPlaceholderData } = useQuery({
    queryKey: ["mentionable", conversationId, query?.prefix],
    queryFn: ({ signal }) =>
      memberApi.listMembers({ params: { conversationId }, query: { prefix: query?.prefix, limit: SHOWN } }, { signal }),
    enabled: query !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const items = query === null ? [] : (data?.items ?? []);
  // Until the answer is there, those of the answer before that still fit: Enter must not choose somebody else.
  const options = isPlaceholderData ? items.filter(({ name }) => beginsWith(name, prefix)) : items;
  return { options, ...useOptionKeys(query === null ? "" : `${query.start} ${prefix}`, options, onChoose) };
}

/** Whether a name, or a word of it, begins so. */
function beginsWith(name: string, prefix: string): boolean {
  const wanted = prefix.toLowerCase();
  return [name, ...name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted));
}
