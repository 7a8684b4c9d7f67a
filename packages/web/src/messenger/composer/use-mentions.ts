import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { memberApi } from "../../shared/session/member.ts";
import type { Mentionable, MentionQuery } from "./mention-query.ts";

const SHOWN = 8;

/** The people and bots whose names begin with what is being typed, and which of them the keyboard is on. */
export function useMentions(
  conversationId: string,
  query: MentionQuery | null,
  onChoose: (chosen: Mentionable) => void,
) {
  const [at, setAt] = useState(0);
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
  const current = Math.min(at, options.length - 1);

  /** @returns whether the key was for the list. */
  function takeKey(event: KeyboardEvent): boolean {
    const chosen = options[current];
    if (chosen === undefined) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setAt((current + step + options.length) % options.length);
    } else if (event.key === "Enter" || event.key === "Tab") {
      setAt(0);
      onChoose(chosen);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  return { options, current, takeKey };
}

/** Whether a name, or a word of it, begins so. */
function beginsWith(name: string, prefix: string): boolean {
  const wanted = prefix.toLowerCase();
  return [name, ...name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(wanted));
}
