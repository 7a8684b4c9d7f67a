import * as Type from "typebox";

/*
 * A backup is a tar archive (POSIX.1-2001), in this order: `portico-backup.json`, `master.key.json` if a passphrase was
 * given, `portico.db`, `blobs/<blobKey>` for each file, and `end.json`, without which the archive is not complete.
 */

export const HEAD_NAME = "portico-backup.json";
export const KEY_NAME = "master.key.json";
export const DATABASE_NAME = "portico.db";
export const END_NAME = "end.json";
export const BLOBS_PREFIX = "blobs/";

/** The version of this format. */
export const FORMAT = 1;

export const HeadSchema = Type.Object({
  format: Type.Integer(),
  /** Epoch milliseconds. */
  createdAt: Type.Number(),
  /** The newest migration of the database. */
  schema: Type.String(),
  hasKey: Type.Boolean(),
  /** Whether the contents of files are in it: those in S3 stay there. */
  hasFiles: Type.Boolean(),
});
export type Head = Type.Static<typeof HeadSchema>;

export const EndSchema = Type.Object({
  /** SHA-256 of the database, in hex. Those of files are in the database. */
  databaseSha256: Type.String(),
  files: Type.Integer(),
  /** The blobKeys of files whose content was missing, or was not what the database says, when the backup was made. */
  faulty: Type.Array(Type.String()),
});
export type End = Type.Static<typeof EndSchema>;

/** What a backup contains, for the person who made or restored it. */
export interface BackupReport {
  schema: string;
  createdAt: number;
  hasKey: boolean;
  hasFiles: boolean;
  files: number;
  /** The size of the archive, or of what was restored from it. */
  bytes: number;
  /** The blobKeys of files whose content was missing or damaged when the backup was made. */
  faulty: string[];
}

/** Is told how far a long piece of work has come. */
export type Progress = (line: string) => void;
