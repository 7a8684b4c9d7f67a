/** A part of a list that is ordered by name and, among equal names, by id. Without a limit it is the whole list. */
export interface PartOfNamed {
  /** What it comes after; left out, it begins with the first. */
  after?: { name: string; id: string };
  /** The most entries. */
  limit?: number;
}
