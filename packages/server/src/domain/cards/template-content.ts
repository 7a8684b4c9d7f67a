/** The content of a template version. */
export interface TemplateContent {
  name: string;
  /** JSON text. */
  card: string;
}

/** Who saves a version, and when (epoch milliseconds). */
export interface Saving {
  developerId: string;
  now: number;
}

/** A template whose row is locked until the transaction ends. */
export interface LockedTemplate extends TemplateContent {
  cardId: string;
  version: number;
}
