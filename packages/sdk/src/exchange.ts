/** Makes single requests, for tools that call APIs which this library does not cover. */
export { exchange, type HttpRequest, MAX_ANSWER_BYTES, notWhat, readEnvelope } from "@portico/protocol/client";
