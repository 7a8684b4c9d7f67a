import { EVENT_STREAM, STREAM_PATHS } from "@portico/protocol/endpoints";
import type { Operation, PathItem } from "./openapi.ts";
import { BEARER, SIGNATURE, SIGNED_PARAMETERS } from "./security.ts";

type StreamKind = keyof typeof STREAM_PATHS;

const STREAMS: Record<Exclude<StreamKind, "events">, { tag: string; summary: string; frames: string }> = {
  member: {
    tag: "Members",
    summary: "The member's conversations, live",
    frames:
      "The service sends `message.created`, `card.updated`, `message.recalled` and `conversation.read`. The client may send " +
      '`{"type": "resume", "afterSeq": {"group:g_demo": 12}}` to get what it missed; `error` answers for conversations that ' +
      "are not the member's.",
  },
  agent: {
    tag: "Desk",
    summary: "The sessions of the applications that the agent serves, live",
    frames:
      "The service sends `session.changed`, `agent.changed`, `message.created`, `note.created`, `typing` and `read`. The client may send " +
      "`resume`, `typing` and `read`; `error` answers for visitors who are not the agent's.",
  },
  visitor: {
    tag: "Widget",
    summary: "The visitor's messages and session, live",
    frames:
      "The service sends `message.created`, `session.changed`, `typing` and `read`. The client may send `resume`, `typing` " +
      "and `read`.",
  },
};

/** The WebSockets, as the requests that open them. */
export function describeStreams(): Record<string, PathItem> {
  const ofPeople = Object.entries(STREAMS).map(([kind, stream]): [string, PathItem] => [
    STREAM_PATHS[kind as StreamKind],
    { get: describe(kind, stream) },
  ]);
  return Object.fromEntries([...ofPeople, [STREAM_PATHS.events, { get: describeEvents() }]]);
}

/** Socket mode: the handshake is a signed call. */
function describeEvents(): Operation {
  return {
    operationId: "stream.events",
    summary: EVENT_STREAM.summary,
    description:
      "A WebSocket, whose frames are JSON objects with a `type`. The handshake is signed like any call. The service sends " +
      "`hello`, `event`, `error` and `goodbye`; the application answers each `event` by " +
      '`{"type": "ack", "deliveryId": "…"}` or `{"type": "nack", "deliveryId": "…", "reason": "…", "retry": true}`. ' +
      "In the test environment the query `take` names event types, separated by commas, that the connection takes.",
    tags: ["Events"],
    security: [{ [SIGNATURE]: [] }],
    parameters: [...SIGNED_PARAMETERS, { name: "take", in: "query", required: false, schema: { type: "string" } }],
    responses: {
      "101": { description: "The WebSocket is open" },
      "400": { description: "The request asks for no WebSocket, or `take` names an unknown type or is given twice" },
      "401": { description: "The call could not be authenticated" },
      "403": { description: "The application is not ACTIVE, lacks the scope of a type it takes, or may take none" },
      "429": {
        description: "A quota is used up, or too many connections are open; Retry-After says when to try again",
      },
      default: { description: "Refused for another reason; there is no WebSocket" },
    },
  };
}

function describe(kind: string, { tag, summary, frames }: (typeof STREAMS)[keyof typeof STREAMS]): Operation {
  return {
    operationId: `stream.${kind}`,
    summary,
    description:
      "A WebSocket, whose frames are JSON objects with a `type`. The token comes in the Authorization header, or, from a " +
      'browser, in the first frame: `{"type": "auth", "accessToken": "…"}`, which is answered with `{"type": "ready"}`. ' +
      frames,
    tags: [tag],
    security: [{ [BEARER]: [] }, {}],
    responses: {
      "101": { description: "The WebSocket is open" },
      "400": { description: "The request asks for no WebSocket" },
      "401": { description: "The token in the header is not valid" },
      "403": { description: "The page's origin is not allowed" },
      "429": { description: "Too many streams; Retry-After says when to try again" },
      default: { description: "Refused for another reason; there is no WebSocket" },
    },
  };
}
