/** A user of yours who becomes a visitor, or whose data has changed. */
export interface VisitorRequest {
  /** Your id of the user; 1 to 128 characters. */
  thirdUserId: string;
  nickname?: string;
  /** URL of a picture. */
  avatar?: string;
  phone?: string;
  email?: string;
  /** Any data to store with the visitor, up to 8 KiB as JSON; agents see it, the visitor does not. */
  extra?: Readonly<Record<string, unknown>>;
}

/** The content of a message, by type. */
export type CustomerContent =
  | { msgType?: "text"; content: string }
  | { msgType: "image"; content: { fileKey: string; width: number; height: number } }
  | { msgType: "file"; content: { fileKey: string } };

/** A message from a visitor. */
export type VisitorMessageRequest = CustomerContent & {
  visitorId: string;
  /** Requires that this session is the open one. */
  sessionId?: number;
  /**
   * Idempotency key, 1 to 128 characters; generated when absent. If you may have to send again after a crash or a
   * `TransportError`, choose the key yourself and store it with your data before sending: the same key never sends
   * twice.
   */
  thirdMsgId?: string;
};

/** A message from an agent to a visitor. */
export type AgentMessageRequest = VisitorMessageRequest & {
  /** The agent's username. */
  agentId: string;
};

/** Selects a visitor's messages. */
export interface ListMessagesRequest {
  visitorId: string;
  /** Only those of this session. */
  sessionId?: number;
  /** Only those after this one. */
  afterSeq?: number;
  /** Starts at 1. */
  page?: number;
  /** At most 100. Default 20. */
  pageSize?: number;
}

/** A session to open. */
export interface CreateSessionRequest {
  visitorId: string;
  /** Username of the agent for the session; when absent, any free agent. */
  agentId?: string;
  /** Where the visitor comes from; shown to agents. */
  source?: string;
  /** What the session is about; shown to agents. */
  subject?: string;
}

/** A session to close. */
export interface CloseSessionRequest {
  sessionId: number;
  reason?: string;
}

/** A session and the agent for it. */
export interface AssignAgentRequest {
  sessionId: number;
  /** The agent's username; when absent, any free agent. */
  agentId?: string;
}
