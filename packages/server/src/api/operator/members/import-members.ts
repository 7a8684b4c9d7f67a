import type { DirectoryMember, ImportedLine } from "@portico/protocol";
import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { insertMember, usernamesAmong } from "../../../domain/directory/member-store.ts";
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
    const present = await usernamesAmong(ctx.storage.db, tenantId, usernames);
    const missing = wanted.filter(({ username }) => !present.has(username));
    tell(wanted, "EXISTS");
    if (body.dryRun) tell(missing, "READY");
    if (body.dryRun || missing.length === 0) return { items };

    // Before the transaction, as it takes long.
    const passwords = missing.map(({ password }) => password);
    const hashes = await hashPasswords(ctx, developer, passwords);
    tell(await ctx.storage.write((tx) => insertAll(tx, call, missing, hashes)), "CREATED");
    return { items };
  },
};

/** Adds those who have not been added meanwhile, and returns them. */
async function insertAll(
  tx: Db,
  { audit, tenantId }: Pick<ImportCall, "audit" | "tenantId">,
  wanted: readonly WantedMember[],
  hashes: readonly string[],
): Promise<WantedMember[]> {
  const created: WantedMember[] = [];
  for (const [index, line] of wanted.entries()) {
    const { username, name, phone } = line;
    const member: DirectoryMember = { userId: newId("u"), username, name, phone, disabled: false };
    if (!(await insertMember(tx, tenantId, member, hashes[index] ?? null))) continue;
    created.push(line);
    await audit(tx, {
      action: "member.create",
      target: `member:${member.userId}`,
      tenantId,
      before: null,
      after: { ...member, password: "set" },
    });
  }
  return created;
}
