import { SIGN_IN_PROBLEMS } from "@portico/protocol";
import { SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import type { Answer, Operation, Parameter, PathItem } from "./openapi.ts";

const RETURN_TO = query("returnTo", "A path of this service to open in the end", "/messenger/");
const TENANT = query("tenantId", "Whose member signs in", "t_demo");

const PEOPLE = {
  members: { tag: "Members", prefix: "member", who: "a member", takes: [TENANT, RETURN_TO] },
  developers: { tag: "Console", prefix: "console", who: "a developer", takes: [RETURN_TO] },
} as const;

/** The addresses that browsers go to for a sign-in with a provider. */
export function describeSignInPages(): Record<string, PathItem> {
  const entries = Object.entries(PEOPLE).flatMap(([people, { tag, prefix, who, takes }]): [string, PathItem][] => {
    const paths = SIGN_IN_PAGES[people as keyof typeof PEOPLE];
    const start = operation(`${prefix}.startOidc`, `Send ${who} to the company's provider to sign in`, tag, takes);
    const answered = [query("code", "From the provider", "c_9hR4tQ2w"), query("state", "As it was sent", "s_3kf8sLq2")];
    const end = operation(`${prefix}.endOidc`, `Sign ${who} in whom the provider has sent back`, tag, answered);
    return [
      [paths.start, { get: start }],
      [paths.callback, { get: end }],
    ];
  });
  return Object.fromEntries(entries);
}

function operation(operationId: string, summary: string, tag: string, parameters: readonly Parameter[]): Operation {
  const statuses = [...new Set(Object.values(SIGN_IN_PROBLEMS).map(({ status }) => status))];
  const refusals = statuses.map((status): [string, Answer] => [`${status}`, { description: reasonsOf(status) }]);
  return {
    operationId,
    summary,
    description: "For browsers: refusals are pages in words, without a cookie.",
    tags: [tag],
    security: [],
    parameters: [...parameters],
    responses: {
      "302": { description: "Goes on at the address in Location" },
      ...Object.fromEntries(refusals),
      default: { description: "Refused for another reason, on a page" },
    },
  };
}

function reasonsOf(wanted: number): string {
  return Object.values(SIGN_IN_PROBLEMS)
    .filter(({ status }) => status === wanted)
    .map(({ english }) => english)
    .join(" Or: ");
}

function query(name: string, description: string, example: string): Parameter {
  return { name, in: "query", required: false, description, schema: { type: "string" }, example };
}
