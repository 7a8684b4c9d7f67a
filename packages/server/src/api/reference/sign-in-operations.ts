import { SIGN_IN_PROBLEMS, type SignInProblem } from "@portico/protocol";
import { SIGN_IN_PAGES } from "@portico/protocol/endpoints";
import type { Answer, Operation, Parameter, PathItem } from "./openapi.ts";

const RETURN_TO = query("returnTo", "A path of this service to open in the end", "/messenger/");
const TENANT = query("tenantId", "Whose member signs in", "t_demo");

const PEOPLE = {
  members: { tag: "Members", prefix: "member", who: "a member", takes: [TENANT, RETURN_TO] },
  developers: { tag: "Console", prefix: "console", who: "a developer", takes: [RETURN_TO] },
} as const;

/** Problems that come only when the provider has sent the person back. */
const AT_THE_END: ReadonlySet<SignInProblem> = new Set([
  "FLOW_UNKNOWN",
  "STATE_WRONG",
  "USED",
  "PROVIDER_REFUSED",
  "TOKEN_REFUSED",
  "UNKNOWN_PERSON",
  "NAME_TAKEN",
  "CLAIMS_INCOMPLETE",
  "DISABLED",
] as const);
/** Those that come only before the person is sent there. */
const AT_THE_START: ReadonlySet<SignInProblem> = new Set(["RETURN_PATH_INVALID"] as const);

/** The addresses that browsers go to for a sign-in with a provider. */
export function describeSignInPages(): Record<string, PathItem> {
  const entries = Object.entries(PEOPLE).flatMap(([people, { tag, prefix, who, takes }]): [string, PathItem][] => {
    const paths = SIGN_IN_PAGES[people as keyof typeof PEOPLE];
    const title = `Send ${who} to the company's provider to sign in`;
    const start = operation(`${prefix}.startOidc`, title, tag, takes, AT_THE_END);
    const answered = [query("code", "From the provider", "c_9hR4tQ2w"), query("state", "As it was sent", "s_3kf8sLq2")];
    const done = `Sign ${who} in whom the provider has sent back`;
    const end = operation(`${prefix}.endOidc`, done, tag, answered, AT_THE_START);
    return [
      [paths.start, { get: start }],
      [paths.callback, { get: end }],
    ];
  });
  return Object.fromEntries(entries);
}

/** @param without problems that the address cannot have. */
function operation(
  operationId: string,
  summary: string,
  tag: string,
  parameters: readonly Parameter[],
  without: ReadonlySet<SignInProblem>,
): Operation {
  const names = Object.keys(SIGN_IN_PROBLEMS) as SignInProblem[];
  const byStatus = Map.groupBy(
    names.filter((name) => !without.has(name)),
    (name) => SIGN_IN_PROBLEMS[name].status,
  );
  const refusals = [...byStatus].map(([status, some]): [string, Answer] => [
    `${status}`,
    { description: some.map((name) => SIGN_IN_PROBLEMS[name].english).join(" Or: ") },
  ]);
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

function query(name: string, description: string, example: string): Parameter {
  return { name, in: "query", required: false, description, schema: { type: "string" }, example };
}
