/** Whose something is: what they may store, upload and have read at once is bounded for each. */
export interface Owner {
  type: "APP" | "MEMBER" | "VISITOR";
  /** appId, userId or visitorId. */
  id: string;
  /** The tenant of a member, the application of a visitor: whose people they are. */
  within?: string;
}
