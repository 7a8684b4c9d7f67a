/** Types of messages (docs/contract/messages.md#content). */
export const MESSAGE_TYPES = ["text", "post", "card", "image", "file"] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** `receiveIdType` of a send, and the installation target type each stands for. */
export const TARGET_TYPE_BY_RECEIVE_ID_TYPE = { group_id: "GROUP", user_id: "USER" } as const;
export const TARGET_TYPES = ["GROUP", "USER"] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** States of an installation (docs/contract/messages.md#targets). */
export const INSTALLATION_STATES = ["ACTIVE", "UNINSTALLED"] as const;
export type InstallationState = (typeof INSTALLATION_STATES)[number];

/** What can happen in a conversation; each takes one `msgSeq`. */
export const CHANGE_TYPES = ["message.created", "card.updated", "message.recalled"] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];
