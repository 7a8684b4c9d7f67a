import { randomUUID } from "node:crypto";
import type {
  AgentStatusAnswer,
  AssignedSession,
  AuthenticatedVisitor,
  ClosedSession,
  CreatedSession,
  CustomerMessageList,
  CustomerSession,
  SentCustomerMessage,
  VisitorInfo,
} from "@portico/protocol";
import type {
  AgentMessageRequest,
  AssignAgentRequest,
  CloseSessionRequest,
  CreateSessionRequest,
  ListMessagesRequest,
  VisitorMessageRequest,
  VisitorRequest,
} from "./customer-requests.ts";
import type { OpenApi } from "./open-api.ts";

/**
 * Customer service (V1): visitors, their sessions and messages, and the agents who serve them. Every method throws
 * {@link ApiRefusedError} when the service refuses and {@link TransportError} when no verdict arrives. Times are in epoch
 * milliseconds.
 */
export class CustomerApi {
  readonly #api: OpenApi;

  constructor(api: OpenApi) {
    this.#api = api;
  }

  /**
   * Makes a user of yours a visitor, or changes what is known of them; what is left out stays as it is. Needs the scope
   * `customer.visitor.manage`. A visitor who is disabled is refused with `400101`.
   *
   * @returns The visitor, and a `visitorToken` for their widget, good until `expiresAt`: give it to that visitor's page
   *   only, and ask for another as they stay.
   *
   * @example
   * const { visitorId, visitorToken } = await client.customer.authVisitor({ thirdUserId: "c-77", nickname: "Ann" });
   */
  async authVisitor(request: VisitorRequest): Promise<AuthenticatedVisitor> {
    return await this.#api.authVisitor({ body: request });
  }

  /** What is known of a visitor, and which session of theirs is open. Needs the scope `customer.visitor.manage`. */
  async getVisitor(visitorId: string): Promise<VisitorInfo> {
    return await this.#api.getVisitor({ query: { visitorId } });
  }

  /**
   * Says something for a visitor; a session is opened if none is. Needs the scope `customer.message.send`. Retries are
   * safe: all tries carry one `thirdMsgId`, and the service stores one message for it.
   *
   * @returns Where the message is; `isDuplicate` is true when this `thirdMsgId` had been sent before.
   */
  async sendMessage(request: VisitorMessageRequest): Promise<SentCustomerMessage> {
    return await this.#api.sendVisitorMessage({ body: keyed(request) });
  }

  /**
   * Says something to a visitor for an agent. Needs the scope `customer.message.send`. Retries are safe as those of
   * {@link sendMessage} are; agents' and visitors' `thirdMsgId`s do not meet.
   */
  async sendAgentMessage(request: AgentMessageRequest): Promise<SentCustomerMessage> {
    return await this.#api.sendAgentMessage({ body: keyed(request) });
  }

  /**
   * A page of a visitor's messages, oldest first; there are none for a visitor who is not known. Needs the scope
   * `customer.message.read`.
   */
  async listMessages(request: ListMessagesRequest): Promise<CustomerMessageList> {
    const { visitorId, sessionId, page, pageSize, afterSeq } = request;
    const session = sessionId === undefined ? undefined : String(sessionId);
    return await this.#api.listVisitorMessages({ query: { visitorId, sessionId: session, page, pageSize, afterSeq } });
  }

  /**
   * Opens a session for a visitor, or finds the one that is open: `isExisting`. Needs the scope
   * `customer.session.manage`. It goes to the agent who is named, else to whoever is free, else into the queue.
   */
  async createSession(request: CreateSessionRequest): Promise<CreatedSession> {
    return await this.#api.createSession({ body: request });
  }

  /** Closes a session, for good. Needs the scope `customer.session.manage`. `alreadyClosed`: it had been closed before. */
  async closeSession(request: CloseSessionRequest): Promise<ClosedSession> {
    return await this.#api.closeSession({ body: request });
  }

  /** A session. Needs the scope `customer.session.manage`. */
  async getSession(sessionId: number): Promise<CustomerSession> {
    return await this.#api.getSession({ query: { sessionId: String(sessionId) } });
  }

  /**
   * Gives a session to an agent, be they there or not, or to whoever is free. Needs the scope `customer.session.manage`.
   * Refused with `400400` when the session is closed, there is no such agent, nobody is free, or another call for the same
   * session came first; unless an agent is named, a failure of the service is thrown at once.
   */
  async assignAgent(request: AssignAgentRequest): Promise<AssignedSession> {
    // Whoever is free the second time is somebody else.
    const harmlessToRepeat = request.agentId !== undefined;
    return await this.#api.assignAgent({ body: request }, { harmlessToRepeat });
  }

  /** How an agent is; `exists` is false for who is no agent of the app. Needs the scope `customer.agent.read`. */
  async getAgentStatus(agentId: string): Promise<AgentStatusAnswer> {
    return await this.#api.getAgentStatus({ query: { agentId } });
  }
}

/** What is said, with a key: all tries carry the same. */
function keyed<Request extends VisitorMessageRequest>({ thirdMsgId = randomUUID(), ...said }: Request) {
  return { ...said, thirdMsgId };
}
