import type { AuditEntry } from "@portico/protocol";
import type { AuditPage, AuditPlace } from "../../audit-log/audit-entries.tsx";
import { BYTE_ORDER_MARK, csvLine } from "../files/csv-line.ts";

/** An export ends after so many entries, so many characters, or so many calls. */
export const MOST_ENTRIES = 20_000;
const MOST_LENGTH = 50_000_000;
const MOST_CALLS = 2_000;
const ASKED_AT_ONCE = 100;

/** Which entries of the log. */
export interface AuditFilter {
  action: string | undefined;
  actorId: string | undefined;
  target: string | undefined;
  tenantId: string | undefined;
  from?: number;
  to?: number;
}

/** The kinds of files. */
export const EXPORT_FORMATS = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What was exported. */
export interface AuditExport {
  text: string;
  entries: number;
  /** Whether it has all that the filter selects. */
  isWhole: boolean;
}

/** Reads the entries that a filter selects, newest first, and writes them as a file's text. */
export async function exportAudit(
  format: ExportFormat,
  load: (place: AuditPlace) => Promise<AuditPage>,
  { onProgress, isStopped }: { onProgress: (entries: number) => void; isStopped: () => boolean },
): Promise<AuditExport> {
  const lines: string[] = format === "csv" ? [csvLine(COLUMNS)] : [];
  let entries = 0;
  let length = 0;
  let before: number | undefined;
  for (let calls = 0; calls < MOST_CALLS && !isStopped(); calls++) {
    const { items, nextBefore } = await load({ before, limit: ASKED_AT_ONCE });
    for (const entry of items) {
      const line = format === "csv" ? csvLine(valuesOf(entry)) : `${JSON.stringify(entry)}\n`;
      if (entries === MOST_ENTRIES || length + line.length > MOST_LENGTH) return end(false);
      lines.push(line);
      length += line.length;
      entries++;
    }
    onProgress(entries);
    if (nextBefore === null) return end(true);
    before = nextBefore;
  }
  return end(false);

  function end(isWhole: boolean): AuditExport {
    return { text: (format === "csv" ? BYTE_ORDER_MARK : "") + lines.join(""), entries, isWhole };
  }
}

const COLUMNS = [
  "auditId",
  "at",
  "actorType",
  "actorId",
  "actorName",
  "action",
  "target",
  "appId",
  "tenantId",
  "address",
  "before",
  "after",
] as const;

function valuesOf(entry: AuditEntry): string[] {
  const { auditId, at, actor, action, target, appId, tenantId, address, before, after } = entry;
  const who = [actor.type, actor.id, actor.name ?? ""];
  const what = [action, target, appId ?? "", tenantId ?? "", address ?? ""];
  const sides = [before, after].map((side) => (side === null ? "" : JSON.stringify(side)));
  return [String(auditId), new Date(at).toISOString(), ...who, ...what, ...sides];
}
