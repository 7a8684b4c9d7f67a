import { randomUUID } from "node:crypto";
import { DESK_ENDPOINTS, OPEN_ENDPOINTS, pathOf, WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { getOf, postOf } from "../beside/bearer-requests.ts";
import type { ReadWork, SendWork, Works } from "../beside/work.ts";
import {
  AGENTS,
  agentNameOf,
  agentTokenOf,
  OFFICE,
  OFFICE_CREDENTIAL,
  sessionIdOf,
  VISITORS,
  visitorIdOf,
  visitorTokenOf,
} from "../desk/office.ts";
import { isSuccess } from "../load/answer.ts";
import { inTurn, RequestSigner, type UnsignedCall } from "../load/signed-requests.ts";

/** Those who write; ids of the same length, so that requests have it too. The others' conversations only are read. */
const FIRST_WRITER = VISITORS / 10;
const WRITERS = VISITORS - FIRST_WRITER;
/** Whose messages are read. */
export const READER = 0;
/** What a visitor asks. */
const SAID = "My order 4711 has not come yet. Can you tell me where it is?";
/** The service takes 500 messages of widgets in a second, however many visitors there are; so they are not at full load. */
const WIDGET_PER_SECOND = 250;
const PROMISED = 0.5;

/** A signed message of a visitor. */
export function visitorMessage(visitor: number): UnsignedCall {
  return messageOf(OPEN_ENDPOINTS.sendVisitorMessage.path, { visitorId: visitorIdOf(visitor), content: SAID });
}

/** What integrators, visitors and agents do. */
export function customerWorks(): Works {
  const visitorOf = (number: number) => FIRST_WRITER + (number % WRITERS);
  const readersMessages = `visitorId=${visitorIdOf(READER)}`;
  const list = OPEN_ENDPOINTS.listVisitorMessages.path;
  const listed = (): UnsignedCall => ({ method: "GET", path: list, rawQuery: readersMessages, body: "" });
  const session = { appId: OFFICE, sessionId: String(sessionIdOf(READER)) };
  return {
    sends: [
      signed("visitors' messages", (number) => visitorMessage(visitorOf(number))),
      signed("visitors' messages with thirdMsgId", (number) => {
        const body = { visitorId: visitorIdOf(visitorOf(number)), content: SAID, thirdMsgId: randomUUID() };
        return messageOf(OPEN_ENDPOINTS.sendVisitorMessage.path, body);
      }),
      signed("agents' messages", (number) => {
        const visitor = visitorOf(number);
        const body = { agentId: agentNameOf(visitor % AGENTS), visitorId: visitorIdOf(visitor), content: SAID };
        return messageOf(OPEN_ENDPOINTS.sendAgentMessage.path, body);
      }),
      bearers("widgets' messages", WIDGET_PER_SECOND, (visitor) =>
        postOf(WIDGET_ENDPOINTS.postMessage.path, visitorTokenOf(visitor), { content: SAID }),
      ),
      bearers("messages of the desk", null, (visitor) => {
        const params = { appId: OFFICE, sessionId: String(sessionIdOf(visitor)) };
        return postOf(pathOf(DESK_ENDPOINTS.postMessage, params), agentTokenOf(visitor % AGENTS), { content: SAID });
      }),
    ],
    reads: [
      {
        name: "message/list",
        promised: PROMISED,
        target: `${list}?${readersMessages}`,
        requests: requestsOf(new RequestSigner(OFFICE_CREDENTIAL, listed)),
      },
      read("a widget's messages", WIDGET_ENDPOINTS.listMessages.path, visitorTokenOf(READER)),
      read("a session's messages at the desk", pathOf(DESK_ENDPOINTS.listMessages, session), agentTokenOf(READER)),
      read(
        "sessions at the desk",
        `${pathOf(DESK_ENDPOINTS.listSessions, { appId: OFFICE })}?status=ACTIVE`,
        agentTokenOf(READER),
      ),
    ],
    secret: OFFICE_CREDENTIAL.appSecret,
    succeeds: isSuccess,
  };
}

function signed(name: string, callOf: (number: number) => UnsignedCall): SendWork {
  return {
    name,
    promised: PROMISED,
    perSecond: null,
    requests: requestsOf(new RequestSigner(OFFICE_CREDENTIAL, callOf)),
  };
}

function requestsOf(signer: RequestSigner) {
  return (count: number) => signer.sign(count, false);
}

/** Messages by bearers of tokens, one for each visitor who writes. */
function bearers(name: string, perSecond: number | null, requestOf: (visitor: number) => Buffer): SendWork {
  const requests = Array.from({ length: WRITERS }, (_, number) => requestOf(FIRST_WRITER + number));
  return { name, promised: PROMISED, perSecond, requests: (count) => inTurn(requests, count) };
}

function read(name: string, target: string, token: string): ReadWork {
  const request = getOf(target, token);
  return { name, promised: PROMISED, target, requests: (count) => inTurn([request], count) };
}

function messageOf(path: string, body: object): UnsignedCall {
  return { method: "POST", path, rawQuery: "", body: JSON.stringify(body) };
}
