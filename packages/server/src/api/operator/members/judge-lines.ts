import {
  CreateMemberBodySchema,
  type ImportedLine,
  type ImportMembersBody,
  type ImportProblem,
} from "@portico/protocol/schemas";
import { Compile } from "typebox/compile";
import { ruleBrokenBy } from "../../../domain/accounts/password-rules.ts";
import { foldCase } from "../../../domain/directory/fold-case.ts";
import type { Config } from "../../../platform/config/config.ts";

/** A member as a line of an import wants them. */
export interface WantedMember {
  /** The place of its line in the call, from 0. */
  at: number;
  /** What the caller names the line by. */
  line: number;
  username: string;
  name: string;
  phone: string | null;
  password: string;
}

const { properties } = CreateMemberBodySchema;
/** In the order in which a line is read. */
const FIELDS = ["username", "name", "password", "phone"] as const;
const CHECKS = {
  username: Compile(properties.username),
  name: Compile(properties.name),
  password: Compile(properties.password),
  phone: Compile(properties.phone),
};

/**
 * Tells the lines of an import that are wrong from those that name a member. All rules are those of a single member, but
 * that there must be a password: a member who cannot sign in is hardly what a list with passwords means.
 *
 * @returns what is known of each line so far, in their order, and the members whom the others want.
 */
export function judgeLines(
  config: Pick<Config, "signIn">,
  lines: ImportMembersBody["members"],
): { items: ImportedLine[]; wanted: WantedMember[] } {
  const items: ImportedLine[] = [];
  const wanted: WantedMember[] = [];
  const seen = new Map<string, string>();
  for (const [at, { line, username, name, password, phone }] of lines.entries()) {
    const member = { at, line, username, name: name || username, password, phone: phone || null };
    const earlier = seen.get(foldCase(username)) ?? null;
    const problem = earlier === null ? problemOf(config, member) : "repeated";
    const other = earlier === null || earlier === username ? {} : { other: earlier };
    items.push({ line, outcome: problem === null ? "READY" : "INVALID", problem, ...other });
    if (problem !== null) continue;
    seen.set(foldCase(username), username);
    wanted.push(member);
  }
  return { items, wanted };
}

function problemOf(config: Pick<Config, "signIn">, member: WantedMember): ImportProblem | null {
  const isRight = (field: (typeof FIELDS)[number]) =>
    CHECKS[field].Check(member[field]) &&
    (field !== "password" || ruleBrokenBy(config, member.password, member) === null);
  return FIELDS.find((field) => !isRight(field)) ?? null;
}
