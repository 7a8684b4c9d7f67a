import { OPEN_ENDPOINTS } from "@portico/protocol/endpoints";
import { SUCCESS_CODE } from "@portico/protocol/errors";

/** A call that a bot would have made. */
export interface SentCall {
  /** Of the open API, for example `sendMessage`, `replyMessage`, `updateCard` or `getVisitor`. */
  operation: string;
  /** The parameters in the path and in the query. */
  params: Record<string, string>;
  /** The body; undefined when there is none, or a file. */
  body: unknown;
}

/** The value of a call's answer, or what makes it of the call. */
export type MadeUpAnswer = unknown | ((call: SentCall) => unknown);

/**
 * A `fetch` that reaches nothing: it records the calls, and answers each with a value of the shape that the call promises.
 *
 * @param answers values of one's own, by operation.
 */
export function madeUpService(sent: SentCall[], answers: Readonly<Record<string, MadeUpAnswer>>): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { operation, params, value } = findOperation(init?.method ?? "GET", url.pathname);
    const body = init?.body instanceof Uint8Array ? readJson(init.body) : undefined;
    const call = { operation, params: { ...Object.fromEntries(url.searchParams), ...params }, body };
    sent.push(call);
    const given = Object.hasOwn(answers, operation) ? answers[operation] : exampleOf(value, sent.length);
    const answer = typeof given === "function" ? given(call) : given;
    const envelope = { code: SUCCESS_CODE, message: "success", value: answer, reqNo: `req_${sent.length}` };
    return new Response(JSON.stringify(envelope), { headers: { "content-type": "application/json" } });
  };
}

function findOperation(method: string, path: string) {
  for (const [operation, endpoint] of Object.entries(OPEN_ENDPOINTS)) {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const found = new RegExp(`^${endpoint.path.replace(/:\w+/g, "([^/]+)")}$`).exec(path);
    if (endpoint.method !== method || found === null) continue;
    const values = found.slice(1).map(decodeURIComponent);
    const params = Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
    return { operation, params, value: endpoint.value as Shape };
  }
  throw new Error(`${method} ${path} is no call of the open API`);
}

/** A part of a JSON Schema. */
interface Shape {
  type?: string;
  anyOf?: readonly Shape[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Readonly<Record<string, Shape>>;
}

/** A value of a schema: numbers are `count`, texts and lists are empty. */
function exampleOf(shape: Shape, count: number): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return shape.enum[0];
  if (shape.anyOf !== undefined) return exampleOf(shape.anyOf.at(-1) ?? {}, count);
  switch (shape.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, member]) => [name, exampleOf(member, count)]),
      );
    case "array":
      return [];
    case "string":
      return "";
    case "integer":
    case "number":
      return count;
    case "boolean":
      return false;
    default:
      return null;
  }
}

/** A body that is JSON; undefined for another, such as a file. */
function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
