import type { ErrorCode } from "@portico/protocol";
import {
  CLIENT_ENDPOINTS,
  CONSOLE_CALL_ERRORS,
  CONSOLE_ENDPOINTS,
  type ConsoleEndpoint,
  consoleErrorsOf,
  DESK_ENDPOINTS,
  type Endpoint,
  MEMBER_CALL_ERRORS,
  type MemberEndpoint,
  OPEN_CALL_ERRORS,
  OPEN_ENDPOINTS,
  OPERATOR_ENDPOINTS,
  type OpenEndpoint,
  START_ENDPOINTS,
  WIDGET_CALL_ERRORS,
  WIDGET_ENDPOINTS,
} from "@portico/protocol/endpoints";
import type { RefusalForm } from "./refusals.ts";
import { BEARER, CONSOLE_COOKIE, MEMBER_COOKIE, SIGNATURE } from "./security.ts";

/** A part of the API: its endpoints, and what all of them have in common. */
export interface ApiPart {
  tag: string;
  description: string;
  /** Begins the operationIds, which are unique in the description. */
  prefix: string;
  endpoints: Readonly<Record<string, Endpoint>>;
  /** How an answer is wrapped: `value` stands in an envelope, or is the body. */
  answers: "envelope" | "plain";
  refusals: RefusalForm;
  /** The security schemes, one of which a call needs; none for a public call. */
  securityOf(endpoint: Endpoint, name: string): readonly string[];
  /** The errors of the call, without those of its input. */
  errorsOf(endpoint: Endpoint): readonly ErrorCode[];
}

const BOT = { tag: "Bot", prefix: "bot", description: "What bots do: messages, cards, files, installations." };
const CUSTOMER = {
  tag: "Customer service",
  prefix: "customerService",
  description:
    "Visitors, sessions and agents, for the integrator's own server. Judge by the code, which is 000000 for success: " +
    "what is unknown is no failure for three calls, which answer 000000: the status of an agent (exists false), the " +
    "messages of a visitor (an empty list), and a message whose thirdMsgId was sent before (isDuplicate true).",
};
const MINIAPP = { tag: "Mini-program", prefix: "miniapp", description: "The sign-in of a mini-program's server." };

/** All parts of the API, in the order of the description. */
export const API_PARTS: readonly ApiPart[] = [
  openPart(BOT, "/api/open/v2/bot/"),
  openPart(CUSTOMER, "/api/open/v1/"),
  openPart(MINIAPP, "/api/open/v2/miniapp/"),
  memberPart(
    { tag: "Members", prefix: "member", description: "The messenger's calls, by a member." },
    CLIENT_ENDPOINTS,
  ),
  memberPart(
    {
      tag: "Desk",
      prefix: "desk",
      description: "The calls of the customer-service desk, by a member who is an agent.",
    },
    DESK_ENDPOINTS,
  ),
  {
    tag: "Widget",
    prefix: "widget",
    description: "The calls of the customer-service widget, by a visitor, from a site that the application allows.",
    endpoints: WIDGET_ENDPOINTS,
    answers: "envelope",
    refusals: "envelope",
    securityOf: ({ access }) => (access === "site" ? [] : [BEARER]),
    errorsOf: ({ errors }) => [...(errors as ErrorCode[]), ...WIDGET_CALL_ERRORS],
  },
  consolePart(
    { tag: "Console", prefix: "console", description: "What developers do with their applications." },
    CONSOLE_ENDPOINTS,
  ),
  consolePart(
    { tag: "Operator", prefix: "operator", description: "What the operators of the platform do." },
    OPERATOR_ENDPOINTS,
  ),
  {
    tag: "Service",
    prefix: "service",
    description: "What anybody may ask.",
    endpoints: START_ENDPOINTS,
    answers: "plain",
    refusals: "envelope",
    securityOf: () => [],
    errorsOf: () => ["INVALID_REQUEST"],
  },
];

function openPart(named: Named, path: string): ApiPart {
  const endpoints = Object.entries<OpenEndpoint>(OPEN_ENDPOINTS).filter(([, each]) => each.path.startsWith(path));
  return {
    ...named,
    endpoints: Object.fromEntries(endpoints),
    answers: "envelope",
    refusals: "envelope",
    securityOf: () => [SIGNATURE],
    errorsOf: (endpoint) => {
      const { access, errors } = endpoint as OpenEndpoint;
      const common = OPEN_CALL_ERRORS.filter((code) => code !== "SCOPE_MISSING" || access.scope !== null);
      return [...(errors as ErrorCode[]), ...common];
    },
  };
}

/** What a part says of itself. */
type Named = Pick<ApiPart, "tag" | "prefix" | "description">;

function memberPart(named: Named, endpoints: Readonly<Record<string, MemberEndpoint>>): ApiPart {
  return {
    ...named,
    endpoints,
    answers: "envelope",
    refusals: "envelope",
    securityOf: tokenOr(MEMBER_COOKIE),
    errorsOf: (endpoint) => [...(endpoint.errors as ErrorCode[]), ...ofCaller(MEMBER_CALL_ERRORS, endpoint)],
  };
}

function consolePart(named: Named, endpoints: Readonly<Record<string, ConsoleEndpoint>>): ApiPart {
  return {
    ...named,
    endpoints,
    answers: "plain",
    refusals: "console",
    securityOf: tokenOr(CONSOLE_COOKIE),
    errorsOf: (endpoint) => [
      ...consoleErrorsOf(endpoint as ConsoleEndpoint),
      ...ofCaller(CONSOLE_CALL_ERRORS, endpoint),
    ],
  };
}

/** The errors of every call of an API without those that need a login; of the public calls only a refresh and a second step go on with one. */
function ofCaller(errors: readonly ErrorCode[], { access, path }: Endpoint): readonly ErrorCode[] {
  const needsLogin = access !== "public" || /\/auth\/(refresh|second-factor)/.test(path);
  return needsLogin ? errors : errors.filter((code) => code !== "NOT_SIGNED_IN");
}

/** A token; of public calls, a refresh and a logout are made with the cookie of the sign-in, others with nothing. */
function tokenOr(cookie: string): ApiPart["securityOf"] {
  return ({ access }, name) => {
    if (access !== "public") return [BEARER];
    return name === "refresh" || name === "logout" ? [cookie] : [];
  };
}
