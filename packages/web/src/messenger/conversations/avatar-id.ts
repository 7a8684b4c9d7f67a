/** What decides the colour of a conversation's avatar: a bot has the same one in the list as on its messages. */
export function avatarId(conversationId: string): string {
  return conversationId.startsWith("bot:") ? conversationId.slice("bot:".length) : conversationId;
}
