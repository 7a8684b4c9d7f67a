import type { DirectoryMember, ImportedLine } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { insertMember } from "../../../domain/directory/member-store.ts";
import { findMembersByName } from "../../../domain/directory/user-names.ts";
import { newId } from "../../../platform/crypto/new-id.ts";
import type { Db } from "../../../platform/storage/schema.ts";
import type { ConsoleCall, ConsoleRoute } from "../../common/console/console-route.ts";
import { hashPasswords } from "../hash-password.ts";
import type { PasswordParts } from "../parts.ts";
import { judgeLines, type WantedMember } from "./judge-lines.ts";

type ImportCall = ConsoleCall<typeof OPERATOR_ENDPOINTS.importMembers>;

/**
 * POST operator/members/import: adds those members of the header's tenant who are not there yet. A wrong line does not
 * keep the others from being imported, and who is there stays as they are, so that an import can be repeated.
 */
export const importMembers: ConsoleRoute<typeof OPERATOR_ENDPOINTS.importMembers, PasswordParts> = {
  endpoint: OPERATOR_ENDPOINTS.importMembers,
  async handle(ctx, call) {
    const { body, developer, tenantId } = call;
    const { items, wanted } = judgeLines(ctx.config, body.members);
    const tell = (members: readonly WantedMember[], outcome: ImportedLine["outcome"]) => {
      for (const { at, line } of members) items[at] = { line, outcome, problem: null };
    };
    const usernames = wanted.map(({ username }) => username);
    const present = await findMembersByName(ctx.storage.db, tenantId, usernames);
    const missing = wanted.filter(({ username }) => !present.has(username));
    for (const member of wanted) items[member.at] = presentLine(member, present.get(member.username)?.username);
    if (body.dryRun) tell(missing, "READY");
    if (body.dryRun || missing.length === 0) return { items };

    // Before the transaction, as it takes long.
    const passwords = missing.map(({ password }) => password);
    const hashes = await hashPasswords(ctx, developer, passwords);
    const { created, taken } = await ctx.storage.write((tx) =>
      insertAll(tx, call, missing, { hashes, now: ctx.clock.now() }),
    );
    for (const [member, other] of taken) items[member.at] = presentLine(member, other);
    tell(created, "CREATED");
    return { items };
  },
};

/** A line whose member is there; another spelling of a username is an error, and not the member. */
function presentLine({ line, username }: WantedMember, other = username): ImportedLine {
  if (other === username) return { line, outcome: "EXISTS", problem: null };
  return { line, outcome: "INVALID", problem: "taken", other };
}

/** Adds those who have not been added meanwhile, and tells of the others who has their usernames. */
async function insertAll(
  tx: Db,
  { audit, tenantId }: Pick<ImportCall, "audit" | "tenantId">,
  wanted: readonly WantedMember[],
  { hashes, now }: { hashes: readonly string[]; now: number },
): Promise<{ created: WantedMember[]; taken: [WantedMember, string][] }> {
  const created: WantedMember[] = [];
  const taken: [WantedMember, string][] = [];
  for (const [index, line] of wanted.entries()) {
    const { username, name, phone } = line;
    const member: DirectoryMember = { userId: newId("u"), username, name, phone, disabled: false };
    const holder = await insertMember(tx, tenantId, member, { passwordHash: hashes[index] ?? null, now });
    if (holder !== null) {
      taken.push([line, holder.username ?? username]);
      continue;
    }
    created.push(line);
    await audit(tx, {
      action: "member.create",
      target: `member:${member.userId}`,
      tenantId,
      before: null,
      after: { ...member, password: "set" },
    });
  }
  return { created, taken };
}
