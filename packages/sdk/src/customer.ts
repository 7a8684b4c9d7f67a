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
import type { Call, Caller } from "./caller.ts";
import type {
  AgentMessageRequest,
  AssignAgentRequest,
  CloseSessionRequest,
  CreateSessionRequest,
  ListMessagesRequest,
  VisitorMessageRequest,
  VisitorRequest,
} from "./customer-requests.ts";
import { jsonBody } from "./request-body.ts";

const BASE = "/api/open/v1";

/**
 * Customer service (V1): visitors, their sessions and messages, and the agents who serve them. Every method throws
 * {@link ApiRefusedError} when the service refuses and {@link TransportError} when no verdict arrives. Times are in epoch
 * milliseconds.
 */
export class CustomerApi {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
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
    return await this.#post(
      "visitor/auth",
      request,
      has<AuthenticatedVisitor>({ visitorId: isText, visitorToken: isText }),
    );
  }

  /** What is known of a visitor, and which session of theirs is open. Needs the scope `customer.visitor.manage`. */
  async getVisitor(visitorId: string): Promise<VisitorInfo> {
    return await this.#get("visitor/info", { visitorId }, has<VisitorInfo>({ visitorId: isText }));
  }

  /**
   * Says something for a visitor; a session is opened if none is. Needs the scope `customer.message.send`. Retries are
   * safe: all tries carry one `thirdMsgId`, and the service stores one message for it.
   *
   * @returns Where the message is; `isDuplicate` is true when this `thirdMsgId` had been sent before.
   */
  async sendMessage(request: VisitorMessageRequest): Promise<SentCustomerMessage> {
    return await this.#say("message/send", request);
  }

  /**
   * Says something to a visitor for an agent. Needs the scope `customer.message.send`. Retries are safe as those of
   * {@link sendMessage} are; agents' and visitors' `thirdMsgId`s do not meet.
   */
  async sendAgentMessage(request: AgentMessageRequest): Promise<SentCustomerMessage> {
    return await this.#say("agent/message/send", request);
  }

  /**
   * A page of a visitor's messages, oldest first; there are none for a visitor who is not known. Needs the scope
   * `customer.message.read`.
   */
  async listMessages(request: ListMessagesRequest): Promise<CustomerMessageList> {
    const { visitorId, sessionId, page, pageSize, afterSeq } = request;
    const query = {
      visitorId,
      sessionId: digits(sessionId),
      page: digits(page),
      pageSize: digits(pageSize),
      afterSeq: digits(afterSeq),
    };
    return await this.#get("message/list", query, has<CustomerMessageList>({ records: Array.isArray, total: isCount }));
  }

  /**
   * Opens a session for a visitor, or finds the one that is open: `isExisting`. Needs the scope
   * `customer.session.manage`. It goes to the agent who is named, else to whoever is free, else into the queue.
   */
  async createSession(request: CreateSessionRequest): Promise<CreatedSession> {
    return await this.#post("session/create", request, isSession<CreatedSession>);
  }

  /** Closes a session, for good. Needs the scope `customer.session.manage`. `alreadyClosed`: it had been closed before. */
  async closeSession(request: CloseSessionRequest): Promise<ClosedSession> {
    return await this.#post("session/close", request, isSession<ClosedSession>);
  }

  /** A session. Needs the scope `customer.session.manage`. */
  async getSession(sessionId: number): Promise<CustomerSession> {
    return await this.#get("session/info", { sessionId: digits(sessionId) }, isSession<CustomerSession>);
  }

  /**
   * Gives a session to an agent, be they there or not, or to whoever is free. Needs the scope `customer.session.manage`.
   * Refused with `400400` when the session is closed, there is no such agent, nobody is free, or another call for the same
   * session came first; unless an agent is named, a failure of the service is thrown at once.
   */
  async assignAgent(request: AssignAgentRequest): Promise<AssignedSession> {
    // Whoever is free the second time is somebody else.
    const harmlessToRepeat = request.agentId !== undefined;
    return await this.#post("agent/assign", request, isSession<AssignedSession>, harmlessToRepeat);
  }

  /** How an agent is; `exists` is false for who is no agent of the app. Needs the scope `customer.agent.read`. */
  async getAgentStatus(agentId: string): Promise<AgentStatusAnswer> {
    return await this.#get("agent/status", { agentId }, has<AgentStatusAnswer>({ exists: isFlag, online: isFlag }));
  }

  async #say(path: string, request: VisitorMessageRequest | AgentMessageRequest): Promise<SentCustomerMessage> {
    const { thirdMsgId = randomUUID(), ...said } = request;
    const isSent = has<SentCustomerMessage>({
      messageId: isCount,
      sessionId: isCount,
      seq: isCount,
      isDuplicate: isFlag,
    });
    return await this.#post(path, { ...said, thirdMsgId }, isSent);
  }

  #get<Value>(path: string, query: Call<Value>["query"], isValue: Call<Value>["isValue"]): Promise<Value> {
    return this.#caller.call({ method: "GET", path: `${BASE}/${path}`, query, harmlessToRepeat: true, isValue });
  }

  #post<Value>(path: string, body: object, isValue: Call<Value>["isValue"], harmlessToRepeat = true): Promise<Value> {
    return this.#caller.call({
      method: "POST",
      path: `${BASE}/${path}`,
      body: jsonBody(body),
      harmlessToRepeat,
      isValue,
    });
  }
}

function digits(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const isCount = (value: unknown) => Number.isSafeInteger(value);

/** Looks at no more than these members, so that what a later service adds does not break its callers. */
function has<Value extends object>(members: { [Name in keyof Value]?: (value: unknown) => boolean }) {
  const checks: [string, (value: unknown) => boolean][] = Object.entries(members);
  return (value: unknown): value is Value => {
    if (typeof value !== "object" || value === null) return false;
    const given: Readonly<Record<string, unknown>> = { ...value };
    return checks.every(([name, isRight]) => isRight(given[name]));
  };
}

function isSession<Value extends CustomerSession>(value: unknown): value is Value {
  return has<CustomerSession>({ sessionId: isCount, status: isText })(value);
}
