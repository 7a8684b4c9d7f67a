import type { OperationName, SnippetCall } from "./snippet-call.ts";

/** How the SDK is asked for each call: the method, and what it takes of path, query and body. */
const METHODS: Readonly<Record<OperationName, { method: string; takes: (call: Parts) => string }>> = {
  sendMessage: { method: "bot.sendMessage", takes: ({ body }) => body },
  replyMessage: {
    method: "bot.reply",
    takes: ({ body, params }) => `{ messageId: ${messageId(params)}, ...${body} }`,
  },
  updateCard: {
    method: "bot.updateCard",
    takes: ({ body, params }) => `{ messageId: ${messageId(params)}, ...${body} }`,
  },
  recallCard: { method: "bot.recallCard", takes: ({ params }) => messageId(params) },
  uploadFile: { method: "bot.uploadFile", takes: ({ fileName }) => JSON.stringify(fileName) },
  listInstallations: {
    method: "bot.listInstallationsPage",
    takes: ({ query }) => objectOf(query, ["pageSize"]),
  },
  listApps: { method: "bot.listApps", takes: () => "" },
  authVisitor: { method: "customer.authVisitor", takes: ({ body }) => body },
  getVisitor: { method: "customer.getVisitor", takes: ({ query }) => JSON.stringify(query.visitorId ?? "") },
  sendVisitorMessage: { method: "customer.sendMessage", takes: ({ body }) => body },
  sendAgentMessage: { method: "customer.sendAgentMessage", takes: ({ body }) => body },
  listVisitorMessages: {
    method: "customer.listMessages",
    takes: ({ query }) => objectOf(query, ["sessionId", "page", "pageSize", "afterSeq"]),
  },
  createSession: { method: "customer.createSession", takes: ({ body }) => body },
  closeSession: { method: "customer.closeSession", takes: ({ body }) => body },
  getSession: { method: "customer.getSession", takes: ({ query }) => numeral(query.sessionId) },
  assignAgent: { method: "customer.assignAgent", takes: ({ body }) => body },
  getAgentStatus: { method: "customer.getAgentStatus", takes: ({ query }) => JSON.stringify(query.agentId ?? "") },
  openMiniappSession: { method: "miniapp.exchangeCode", takes: ({ body }) => `${wrapped(body)}.code` },
};

interface Parts {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: string;
  fileName: string;
}

/** The call with `@portico/sdk`, which signs by itself. */
export function typescriptSnippet(call: SnippetCall): string {
  const { method, takes } = METHODS[call.operation];
  const argument = takes({
    params: call.params,
    query: Object.fromEntries(new URLSearchParams(call.query)),
    body: call.body !== null && "json" in call.body ? call.body.json : "{}",
    fileName: call.body !== null && "fileName" in call.body ? call.body.fileName : "",
  });
  return `import { ApiRefusedError, PorticoClient } from "@portico/sdk";

const client = new PorticoClient({
  baseUrl: ${JSON.stringify(call.baseUrl)},
  appId: ${JSON.stringify(call.appId)},
  credentialId: ${JSON.stringify(call.credentialId)},
  appSecret: process.env.APP_SECRET ?? "",
});

try {
  console.log(await client.${method}(${argument}));
} catch (error) {
  if (!(error instanceof ApiRefusedError)) throw error;
  console.error(error.httpStatus, error.code, error.message, error.reqNo);
  process.exitCode = 1;
}
`;
}

function messageId(params: Parts["params"]): string {
  return numeral(params.messageId);
}

/** A number as it is written, where it is one. */
function numeral(value: string | undefined): string {
  return value !== undefined && /^(?:0|[1-9]\d*)$/.test(value) ? value : `Number(${JSON.stringify(value ?? "")})`;
}

function objectOf(query: Parts["query"], numbers: readonly string[]): string {
  const members = Object.entries(query).map(
    ([name, value]) => `${name}: ${numbers.includes(name) ? numeral(value) : JSON.stringify(value)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function wrapped(body: string): string {
  return `(${body})`;
}
