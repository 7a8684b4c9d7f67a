/** How one request is carried out, for tools that call other APIs of the service than this library does. */
export { exchange, type HttpRequest, MAX_ANSWER_BYTES, notWhat, readEnvelope } from "@portico/protocol/client";
