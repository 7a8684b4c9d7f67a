import type { SecretBox } from "../../platform/crypto/secret-box.ts";

/** How long the pages of an export may be asked for, from its first page on, which is in the audit log. */
const EXPORT_LIFE_MS = 24 * 3_600_000;

/** An export that was begun, and where its next page begins. */
export interface ExportProgress {
  /** A kind of records, and a place among them. */
  place: string;
  /** Epoch milliseconds. */
  begunAt: number;
}

/** Who exports whose data: an export that one has begun cannot be continued by another, or about another. */
export interface ExportOwner {
  developerId: string;
  /** `member:` or `visitor:` with the id. */
  target: string;
}

const ownerText = ({ developerId, target }: ExportOwner) => `export of ${target} by ${developerId}`;

/** The cursor of the next page: only the service can make one, so that none is had without a first page. */
export function sealCursor(box: SecretBox, owner: ExportOwner, progress: ExportProgress): string {
  return box.seal(JSON.stringify(progress), ownerText(owner));
}

/** The export in a cursor; null when it is none of this service's, another's, or too old. */
export function openCursor(box: SecretBox, owner: ExportOwner, cursor: string, now: number): ExportProgress | null {
  try {
    // As sealed above.
    const progress = JSON.parse(box.open(cursor, ownerText(owner))) as ExportProgress;
    return now - progress.begunAt < EXPORT_LIFE_MS ? progress : null;
  } catch {
    return null;
  }
}
