export {
  type ApiClient,
  type CallBody,
  checkedValue,
  createApiClient,
  type EndpointCall,
  type Exchange,
  type Success,
} from "./api-client.ts";
export { type BearerCallOptions, type BearerExchangeOptions, bearerExchange } from "./bearer-exchange.ts";
export {
  type ConsoleAnswer,
  type ConsoleCallOptions,
  type ConsoleExchangeOptions,
  ConsoleRefusedError,
  consoleExchange,
} from "./console-exchange.ts";
export { ApiRefusedError, type Refusal, TransportError } from "./errors.ts";
export {
  type Answer,
  type ExchangeOptions,
  exchange,
  type HttpRequest,
  MAX_ANSWER_BYTES,
  notWhat,
  readEnvelope,
} from "./exchange.ts";
export {
  LiveStream,
  type LiveStreamOptions,
  type StreamEnd,
  type StreamHost,
  type StreamSocket,
  type StreamState,
} from "./live-stream.ts";
export {
  AGENT_STREAM,
  type AgentFrame,
  MEMBER_STREAM,
  type MemberFrame,
  OWN_CONVERSATION,
  type Place,
  type StreamKind,
  VISITOR_STREAM,
  type VisitorFrame,
} from "./stream-kinds.ts";
