/**
 * The key under which a conversation's messages and counter are stored. Members know a group as `group:<groupId>` and
 * their own conversation with a bot as `bot:<appId>`; the key of the latter also contains the member.
 */
export function groupKey(groupId: string): string {
  return `group:${groupId}`;
}

/** See {@link groupKey}. Ids contain no colon (the provisioning file is checked), so keys cannot collide. */
export function directKey(appId: string, userId: string): string {
  return `direct:${appId}:${userId}`;
}

/** The conversationId that members use for `key`: `group:<groupId>` or `bot:<appId>`. */
export function conversationIdOf(key: string): string {
  const [kind, id] = key.split(":", 2);
  return kind === "direct" ? `bot:${id}` : key;
}
