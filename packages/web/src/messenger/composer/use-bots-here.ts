import { useQuery } from "@tanstack/react-query";
import { memberApi } from "../../shared/session/member.ts";
import { useMessenger } from "../live/use-messenger.ts";
import type { Mentionable } from "./mention-query.ts";

/** The bots that a message in a conversation may mention; asked for when one may be. */
export function useBotsHere(conversationId: string, text: string): Mentionable[] {
  const { me } = useMessenger();
  const { data } = useQuery({
    queryKey: ["bots"],
    queryFn: ({ signal }) => memberApi.listBots({}, { signal }),
    enabled: text.includes("@"),
    staleTime: 60_000,
  });
  const [kind, id] = conversationId.split(/:(.*)/s);
  const target = kind === "group" ? `GROUP ${id}` : `USER ${me.userId}`;
  return (data?.items ?? [])
    .filter(({ appId }) => kind === "group" || appId === id)
    .filter(({ installations }) => installations.some((each) => `${each.targetType} ${each.targetId}` === target))
    .map(({ appId, displayName }) => ({ userId: appId, name: displayName, isBot: true }));
}
