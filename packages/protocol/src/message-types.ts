/** Types of messages (docs/contract/messages.md#content). */
export const MESSAGE_TYPES = ["text", "post", "card", "image", "file"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** The `receiveIdType` values of a send, and the installation target type of each. */
export const TARGET_TYPE_BY_RECEIVE_ID_TYPE = { group_id: "GROUP", user_id: "USER" } as const;
export const TARGET_TYPES = ["GROUP", "USER"] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** States of an installation (docs/contract/messages.md#targets). */
export const INSTALLATION_STATES = ["ACTIVE", "UNINSTALLED"] as const;
export type InstallationState = (typeof INSTALLATION_STATES)[number];

/** The kinds of changes of a conversation; each has its own `msgSeq`. */
export const CHANGE_TYPES = ["message.created", "card.updated", "message.recalled"] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];
