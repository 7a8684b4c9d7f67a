import { sql } from "kysely";
import { type AuditAnchor, auditAnchor, auditHead, type ChainEnd, GAP } from "../../domain/audit/audit-chain.ts";
import { digestOfLeft, digestToldOf, EMPTIED } from "../../domain/audit/empty-entries.ts";
import { rowDigest } from "../../platform/storage/row-digest.ts";
import type { Db } from "../../platform/storage/schema.ts";
import type { Findings } from "./findings.ts";

const AT_ONCE = 500;
/** The actions of entries that tell of an erasure. */
const ERASURES: ReadonlySet<string> = new Set(["member.erase", "visitor.erase"]);

/** A link with what its entry says now; `action` is null when the entry is gone. */
interface LinkRow {
  position: number;
  audit_id: number;
  salt: string | null;
  digest: string;
  hash: string;
  erased_by: number | null;
  action: string | null;
  [said: string]: string | number | null;
}

const SAID = [
  ...["at", "actor_type", "actor_id", "action", "tenant_id", "app_id"],
  ...["target", "before", "after", "address"],
] as const;

/**
 * The entries of the audit log are those that were written, in their order: none changed, removed, moved or added since.
 *
 * @param noted an end of the chain that was noted earlier, which must still be in it; null for none.
 * @returns where the chain ends now, for who wants to note it.
 */
export async function checkAudit(db: Db, findings: Findings, noted: ChainEnd | null = null): Promise<ChainEnd> {
  const head = await auditHead(db);
  let anchor = await auditAnchor(db);
  let last: ChainEnd = anchor;
  let isNoted = noted === null || isSame(noted, anchor);
  for (;;) {
    const rows = await linksAfter(db, last.position);
    for (const row of rows) {
      if (row.position > head.position) break;
      if (row.position !== last.position + 1) {
        // The sweep may have removed the oldest meanwhile.
        anchor = await auditAnchor(db);
        if (row.position <= anchor.position) continue;
        if (row.position === anchor.position + 1) last = anchor;
      }
      checkLink(row, last, findings);
      await checkErased(db, row, findings);
      last = { position: row.position, hash: row.hash };
      isNoted ||= noted !== null && isSame(noted, last);
      findings.counts.auditEntries++;
    }
    if (rows.length < AT_ONCE || last.position >= head.position) break;
  }
  if (!isSame(last, head)) {
    findings.add(
      "audit",
      "end",
      `the chain ends at ${last.position}, where ${head.position} is due: the newest entries were removed or replaced`,
    );
  }
  if (noted !== null && !isNoted) {
    const problem =
      noted.position < anchor.position
        ? `the end that was noted earlier is not in the chain, which begins after ${anchor.position}: all before was swept, or it was written anew`
        : "the end that was noted earlier is not in the chain: it was written anew since";
    findings.add("audit", String(noted.position), problem);
  }
  await checkUnlinked(db, anchor, findings);
  return head;
}

function isSame(one: ChainEnd, other: ChainEnd): boolean {
  return one.position === other.position && one.hash === other.hash;
}

function checkLink(row: LinkRow, last: ChainEnd, findings: Findings): void {
  const of = String(row.audit_id);
  if (row.position !== last.position + 1) {
    const missing = row.position - last.position - 1;
    findings.add("audit", of, `${missing} links before it are missing: entries were removed`);
  } else if (rowDigest([last.hash, String(row.position), of, row.digest]) !== row.hash) {
    findings.add("audit", of, "it does not follow from the link before: links were changed, moved or replaced");
  }
  if (row.action === null) findings.add("audit", of, "the entry was removed");
  else if (row.erased_by === null && digestOf(row) !== row.digest) findings.add("audit", of, "the entry was changed");
  if (row.action === GAP) {
    findings.add("audit", of, `it says that the sweep found older entries missing: ${row.after}`);
  }
}

function digestOf(row: LinkRow): string {
  const cells = ["audit_id", ...SAID].map((name) => row[name] ?? null);
  return rowDigest([row.salt, ...cells.map((cell) => (cell === null ? null : String(cell)))]);
}

/**
 * Of an entry that an erasure has emptied, nothing is left of what was changed; a later one about the same person tells of it,
 * with the digest of what is left. Erasures by earlier versions have no digests, and say so by saying nothing.
 */
async function checkErased(db: Db, row: LinkRow, findings: Findings): Promise<void> {
  if (row.erased_by === null) return;
  const entry = await db
    .selectFrom("audit_entries")
    .innerJoin("audit_links", "audit_links.audit_id", "audit_entries.audit_id")
    .select(["action", "target", "position", "after"])
    .where("audit_entries.audit_id", "=", row.erased_by)
    .executeTakeFirst();
  const isLater = entry !== undefined && entry.target === personOf(row.target) && entry.position > Number(row.position);
  const digest = isLater && entry.action === EMPTIED ? digestToldOf(entry.after, row.audit_id) : null;
  const isOfEarlierVersion = isLater && ERASURES.has(entry.action) && entry.after === null;
  if (digest === null && !isOfEarlierVersion)
    findings.add("audit", String(row.audit_id), "it counts as erased, and no entry tells of that erasure");
  else if (row.before !== null || row.after !== null || row.salt !== null) {
    findings.add("audit", String(row.audit_id), "it counts as erased, and says something");
  } else if (digest !== null && digest !== digestOfLeft(row)) {
    findings.add("audit", String(row.audit_id), "what an erasure has left of it was changed");
  }
}

/** Whose erasure takes an entry about this: an agent is a member. */
function personOf(target: string | number | null | undefined): string {
  return String(target).replace(/^agent:/, "member:");
}

async function linksAfter(db: Db, position: number): Promise<LinkRow[]> {
  const said = sql.join(SAID.map((name) => sql.ref(`e.${name}`)));
  const { rows } = await sql<LinkRow>`
    select l.position, l.audit_id, l.salt, l.digest, l.hash, e.erased_by, ${said}
    from audit_links as l left join audit_entries as e on e.audit_id = l.audit_id
    where l.position > ${position} order by l.position limit ${sql.lit(AT_ONCE)}`.execute(db);
  return rows;
}

/** Entries from before the chain have no link; all others do. */
async function checkUnlinked(db: Db, { start }: AuditAnchor, findings: Findings): Promise<void> {
  for (let after = start; ; ) {
    const { rows } = await sql<{ auditId: number; linked: number | null }>`
      select e.audit_id as "auditId", l.audit_id as linked
      from audit_entries as e left join audit_links as l on l.audit_id = e.audit_id
      where e.audit_id > ${after} order by e.audit_id limit ${sql.lit(AT_ONCE)}`.execute(db);
    for (const { auditId, linked } of rows) {
      if (linked === null) findings.add("audit", String(auditId), "it was added without a link to the chain");
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.auditId;
  }
}
