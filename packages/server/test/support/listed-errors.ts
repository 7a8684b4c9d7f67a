import assert from "node:assert/strict";
import { errorCodesOf, type ToldError } from "@portico/protocol";
import {
  CLIENT_ENDPOINTS,
  CONSOLE_CALL_ERRORS,
  CONSOLE_ENDPOINTS,
  type ConsoleEndpoint,
  consoleErrorsOf,
  DESK_ENDPOINTS,
  type Endpoint,
  formErrors,
  MEMBER_CALL_ERRORS,
  OPEN_CALL_ERRORS,
  OPEN_ENDPOINTS,
  OPERATOR_ENDPOINTS,
  WIDGET_CALL_ERRORS,
  WIDGET_ENDPOINTS,
} from "@portico/protocol/endpoints";

/** An endpoint with all errors that its list, and those of its API, name. */
interface ListedErrors {
  endpoint: Endpoint;
  path: RegExp;
  errors: ReadonlySet<string>;
}

const consoleErrors = (endpoint: ConsoleEndpoint) => [...CONSOLE_CALL_ERRORS, ...consoleErrorsOf(endpoint)];
const listed: ListedErrors[] = [
  ...list(CONSOLE_ENDPOINTS, consoleErrors),
  ...list(OPERATOR_ENDPOINTS, consoleErrors),
  ...list(CLIENT_ENDPOINTS, () => MEMBER_CALL_ERRORS),
  ...list(DESK_ENDPOINTS, () => MEMBER_CALL_ERRORS),
  ...list(WIDGET_ENDPOINTS, () => WIDGET_CALL_ERRORS),
  ...list(OPEN_ENDPOINTS, () => OPEN_CALL_ERRORS),
];

function list<E extends Endpoint>(endpoints: Readonly<Record<string, E>>, common: (endpoint: E) => readonly string[]) {
  return Object.values(endpoints).map((endpoint) => ({
    endpoint,
    path: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}$`),
    errors: new Set([...common(endpoint), ...formErrors(endpoint), ...endpoint.errors]),
  }));
}

/** The parts of an answer that are checked. */
interface CheckedAnswer {
  status: number;
  /** The parsed body; undefined when it is not JSON. */
  json: unknown;
}

/**
 * Asserts that the called endpoint lists the error of a refusal. Answers of other addresses, and those in the HTTP
 * server's own format, are not checked. An envelope has no errorCode: one of the rows with its message must be listed.
 */
export function assertListedError(method: string, url: string, { status, json }: CheckedAnswer): void {
  if (status < 400 || !isToldError(json)) return;
  const { pathname } = new URL(url);
  const called = listed.filter(({ endpoint, path }) => endpoint.method === method && path.test(pathname));
  if (called.length === 0) return;
  const codes = errorCodesOf(json);
  const isListed = called.some(({ errors }) => codes.some((errorCode) => errors.has(errorCode)));
  const [name] = called.map(({ endpoint }) => `${method} ${endpoint.path}`);
  assert.ok(isListed, `the list of ${name} lacks ${codes.join(" or ") || "an unknown error"}: ${json.message}`);
}

function isToldError(json: unknown): json is ToldError {
  return typeof json === "object" && json !== null && "message" in json && typeof json.message === "string";
}
