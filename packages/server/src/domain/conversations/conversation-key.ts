/**
 * The key under which a conversation's messages and counter are kept. Members know a group as `group:<groupId>` and
 * their own conversation with a bot as `bot:<appId>`; the latter is a different one for each member.
 */
export function groupKey(groupId: string): string {
  return `group:${groupId}`;
}

/** See {@link groupKey}. Ids hold no colon (the provisioning file is checked), so keys cannot collide. */
export function directKey(appId: string, userId: string): string {
  return `direct:${appId}:${userId}`;
}

/** What members call the conversation kept under `key`: `group:<groupId>` or `bot:<appId>`. */
export function conversationIdOf(key: string): string {
  const [kind, id] = key.split(":", 2);
  return kind === "direct" ? `bot:${id}` : key;
}
