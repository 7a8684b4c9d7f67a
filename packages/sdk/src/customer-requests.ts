/** A user of yours who becomes a visitor, or of whom more is known now. */
export interface VisitorRequest {
  /** By which you know them; 1 to 128 characters. */
  thirdUserId: string;
  nickname?: string;
  /** Address of a picture. */
  avatar?: string;
  phone?: string;
  email?: string;
  /** Whatever you want to keep with them, up to 8 KiB as JSON; agents see it, the visitor does not. */
  extra?: Readonly<Record<string, unknown>>;
}

/** What is said, by its type. */
export type CustomerContent =
  | { msgType?: "text"; content: string }
  | { msgType: "image"; content: { fileKey: string; width: number; height: number } }
  | { msgType: "file"; content: { fileKey: string } };

/** What a visitor says. */
export type VisitorMessageRequest = CustomerContent & {
  visitorId: string;
  /** The open session, if it must be this one. */
  sessionId?: number;
  /**
   * Idempotency key, 1 to 128 characters, made up if left out. Give your own, and store it with your data before sending,
   * if you may have to send again after a crash or a `TransportError`: the same key never sends twice.
   */
  thirdMsgId?: string;
};

/** What an agent says to a visitor. */
export type AgentMessageRequest = VisitorMessageRequest & {
  /** The agent's account. */
  agentId: string;
};

/** Which messages of a visitor. */
export interface ListMessagesRequest {
  visitorId: string;
  /** Only those of this session. */
  sessionId?: number;
  /** Only those after this one. */
  afterSeq?: number;
  /** From 1. */
  page?: number;
  /** At most 100. Default 20. */
  pageSize?: number;
}

/** A session to open. */
export interface CreateSessionRequest {
  visitorId: string;
  /** Account of the agent who is to have it; left out, whoever is free. */
  agentId?: string;
  /** Where the visitor comes from, for the agents to see. */
  source?: string;
  /** What it is about, for the agents to see. */
  subject?: string;
}

/** A session to close. */
export interface CloseSessionRequest {
  sessionId: number;
  reason?: string;
}

/** A session and who is to have it. */
export interface AssignAgentRequest {
  sessionId: number;
  /** The agent's account; left out, whoever is free. */
  agentId?: string;
}
