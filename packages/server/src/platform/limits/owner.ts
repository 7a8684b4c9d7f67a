/** The owner of stored data. Storage, uploads and large reads are limited for each owner. */
export interface Owner {
  type: "APP" | "MEMBER" | "VISITOR";
  /** appId, userId or visitorId. */
  id: string;
  /** The tenantId of a member or the appId of a visitor. */
  within?: string;
  /** The block of addresses from which a visitor calls whom the integrator does not name; missing for everybody else. */
  anonymousAt?: string;
}
