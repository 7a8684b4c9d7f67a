import { join } from "node:path";
import { sql } from "kysely";
import type { ChainEnd } from "../../domain/audit/audit-chain.ts";
import { diskBlobsReader } from "../../platform/blobs/disk.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { loadConfig } from "../../platform/config/load-config.ts";
import { readMasterKeys } from "../../platform/crypto/master-key-file.ts";
import { openReadOnly, type ReadOnlyStorage } from "../../platform/storage/open-read-only.ts";
import { openBlobs } from "../../service/open-blobs.ts";
import { checkAudit } from "./check-audit.ts";
import { checkFiles } from "./check-files.ts";
import { checkNames } from "./check-names.ts";
import { checkSearch } from "./check-search.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkConversations, checkVisitors } from "./check-sequences.ts";
import { Findings, type StoreReport } from "./findings.ts";

/** How {@link checkStore} looks. */
export interface CheckStoreOptions {
  /** Whether the contents of files are read, and not only looked for. */
  contents: boolean;
  /** `POSITION:HASH`: where the chain of the audit log ended at an earlier check; null: nothing was noted. */
  auditEnd?: string | null;
  progress?: (line: string) => void;
}

/**
 * Checks that what the service stores holds together: the database itself, the numbers of messages, user names, the search index,
 * the chain of the audit log, the contents of files, the master key. Writes nothing, and may run beside the service.
 *
 * @throws ConfigError when there is no database, or it cannot be read.
 */
export async function checkStore(
  env: NodeJS.ProcessEnv,
  { contents, auditEnd = null, progress = () => {} }: CheckStoreOptions,
): Promise<StoreReport> {
  const noted = auditEnd === null ? null : parseEnd(auditEnd);
  const config = loadConfig(env);
  await using opened = new AsyncDisposableStack();
  const storage = opened.adopt(await openReadOnly(config), (open) => open.close());
  const findings = new Findings();
  progress("database");
  await checkDatabase(storage, findings);
  progress("secrets");
  await checkSecrets(storage.db, readMasterKeys(config), findings);
  progress("conversations");
  await checkConversations(storage.db, findings);
  progress("visitors");
  await checkVisitors(storage.db, findings);
  progress("user names");
  await checkNames(storage, findings);
  progress("search");
  await checkSearch(storage, findings);
  progress("audit log");
  const end = await checkAudit(storage.db, findings, noted);
  findings.auditEnd = `${end.position}:${end.hash}`;
  progress("files");
  const blobs =
    config.blobs.kind === "disk"
      ? diskBlobsReader(join(config.dataDir, "blobs"))
      : opened.adopt(await openBlobs(config), (open) => open.close());
  await checkFiles({ db: storage.db, blobs, contents, now: Date.now(), progress }, findings);
  return findings.report();
}

/** @throws ConfigError when it is none. */
function parseEnd(text: string): ChainEnd {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined)
    throw new ConfigError("the end of an audit log is POSITION:HASH, as an earlier check has told it");
  return { position: Number(position), hash };
}

/** SQLite's own checks; PostgreSQL has its own tools (pg_amcheck). */
async function checkDatabase({ db, dialect }: ReadOnlyStorage, findings: Findings): Promise<void> {
  if (dialect !== "sqlite") return;
  const integrity = await sql<{ integrity_check: string }>`pragma integrity_check(20)`.execute(db);
  for (const { integrity_check: problem } of integrity.rows) {
    if (problem !== "ok") findings.add("database", "portico.db", problem);
  }
  const references = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  for (const { table, parent } of references.rows) {
    findings.add("database", table, `a row refers to one of ${parent} that is not there`);
  }
}
