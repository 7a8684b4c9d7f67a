import { randomUUID } from "node:crypto";
import type { CustomerSession } from "@portico/protocol/customer";
import type {
  AgentStatusAnswer,
  AssignedSession,
  AuthenticatedVisitor,
  ClosedSession,
  CreatedSession,
  CustomerMessageList,
  SentCustomerMessage,
  VisitorInfo,
} from "./answers.ts";
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
 * Customer service (V1): visitors, their sessions and messages, and the agents. Every method throws
 * {@link ApiRefusedError} when the service refuses the call, and {@link TransportError} when no valid answer arrives. Times
 * are epoch milliseconds.
 */
export class CustomerApi {
  readonly #api: OpenApi;

  /** @internal */
  constructor(api: OpenApi) {
    this.#api = api;
  }

  /**
   * Creates a visitor for a user of yours, or updates one; absent fields do not change. Needs the scope
   * `customer.visitor.manage`. A disabled visitor is refused with `400101`.
   *
   * @returns The visitor, and a `visitorToken` for their widget, valid until `expiresAt`. Give it to that visitor's
   * page only, and get another one while they stay.
   *
   * @example
   * const { visitorId, visitorToken } = await client.customer.authVisitor({ thirdUserId: "c-77", nickname: "Ann" });
   */
  async authVisitor(request: VisitorRequest): Promise<AuthenticatedVisitor> {
    return await this.#api.authVisitor({ body: request });
  }

  /** A visitor's data and open session. Needs the scope `customer.visitor.manage`. */
  async getVisitor(visitorId: string): Promise<VisitorInfo> {
    return await this.#api.getVisitor({ query: { visitorId } });
  }

  /**
   * Sends a message for a visitor; opens a session if none is open. Needs the scope `customer.message.send`.
   *
   * Retries are safe: all tries use the same `thirdMsgId`, and the service stores only one message for it.
   *
   * @returns The position of the message; `isDuplicate` is true when this `thirdMsgId` had been sent before.
   */
  async sendMessage(request: VisitorMessageRequest): Promise<SentCustomerMessage> {
    return await this.#api.sendVisitorMessage({ body: keyed(request) });
  }

  /**
   * Sends a message from an agent to a visitor. Needs the scope `customer.message.send`. Retries are safe, as in
   * {@link sendMessage}; the `thirdMsgId`s of agents and of visitors are independent.
   */
  async sendAgentMessage(request: AgentMessageRequest): Promise<SentCustomerMessage> {
    return await this.#api.sendAgentMessage({ body: keyed(request) });
  }

  /**
   * A page of a visitor's messages, oldest first; empty for an unknown visitor. Needs the scope
   * `customer.message.read`.
   */
  async listMessages(request: ListMessagesRequest): Promise<CustomerMessageList> {
    const { visitorId, sessionId, page, pageSize, afterSeq } = request;
    const session = sessionId === undefined ? undefined : String(sessionId);
    return await this.#api.listVisitorMessages({ query: { visitorId, sessionId: session, page, pageSize, afterSeq } });
  }

  /**
   * Opens a session for a visitor, or returns the open one (`isExisting`). A new one is assigned to the named agent, or
   * else to a free agent, or else queued. Needs the scope `customer.session.manage`.
   */
  async createSession(request: CreateSessionRequest): Promise<CreatedSession> {
    return await this.#api.createSession({ body: request });
  }

  /**
   * Closes a session; it cannot be reopened. `alreadyClosed` is true when it was closed before. Needs the scope
   * `customer.session.manage`.
   */
  async closeSession(request: CloseSessionRequest): Promise<ClosedSession> {
    return await this.#api.closeSession({ body: request });
  }

  /** A session. Needs the scope `customer.session.manage`. */
  async getSession(sessionId: number): Promise<CustomerSession> {
    return await this.#api.getSession({ query: { sessionId: String(sessionId) } });
  }

  /**
   * Assigns a session to an agent, online or not, or to any free agent. Needs the scope `customer.session.manage`.
   *
   * Refused with `400400` when the session is closed, the agent does not exist, no agent is free, or a concurrent call
   * for the session came first. When no agent is named, an internal error of the service is thrown without a retry.
   */
  async assignAgent(request: AssignAgentRequest): Promise<AssignedSession> {
    // A retry would assign the session to another free agent.
    const harmlessToRepeat = request.agentId !== undefined;
    return await this.#api.assignAgent({ body: request }, { harmlessToRepeat });
  }

  /**
   * The state of an agent; `exists` is false when the app has no agent with this username. Needs the scope
   * `customer.agent.read`.
   */
  async getAgentStatus(agentId: string): Promise<AgentStatusAnswer> {
    return await this.#api.getAgentStatus({ query: { agentId } });
  }
}

/** Adds an idempotency key, which all tries use. */
function keyed<Request extends VisitorMessageRequest>({ thirdMsgId = randomUUID(), ...said }: Request) {
  return { ...said, thirdMsgId };
}
