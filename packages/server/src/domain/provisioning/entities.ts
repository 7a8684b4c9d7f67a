import { ProvisioningError } from "./provisioning-error.ts";
import type { ProvisioningFile } from "./schema.ts";

/** The default `channelId` of a developer. */
export const DEFAULT_CHANNEL = 1;

/** The keys of entities, the same for all files. */
export const keyOf = {
  tenant: (tenantId: string) => `tenant:${tenantId}`,
  member: (userId: string) => `member:${userId}`,
  group: (groupId: string) => `group:${groupId}`,
  developer: ({ phone, channelId = DEFAULT_CHANNEL }: { phone: string; channelId?: number | undefined }) =>
    `developer:${channelId}:${phone}`,
  app: (appId: string) => `app:${appId}`,
};

/**
 * The entities in a file.
 *
 * @throws ProvisioningError when one appears twice, because it would be unclear which entry applies.
 */
export function entitiesOf(file: ProvisioningFile): string[] {
  const { tenants = [], members = [], groups = [], developers = [], apps = [] } = file;
  const named = [
    ...tenants.map(({ id }, index) => [`tenants[${index}]`, keyOf.tenant(id)] as const),
    ...members.map(({ userId }, index) => [`members[${index}]`, keyOf.member(userId)] as const),
    ...groups.map(({ id }, index) => [`groups[${index}]`, keyOf.group(id)] as const),
    ...developers.map((developer, index) => [`developers[${index}]`, keyOf.developer(developer)] as const),
    ...apps.map(({ appId }, index) => [`apps[${index}]`, keyOf.app(appId)] as const),
  ];
  checkOnce(named);
  return named.map(([, entity]) => entity);
}

/** @throws ProvisioningError naming the second path of a duplicate. */
export function checkOnce(named: readonly (readonly [path: string, id: string])[]): void {
  const places = new Map<string, string>();
  for (const [path, id] of named) {
    const first = places.get(id);
    if (first !== undefined) throw new ProvisioningError(path, `says ${id} again, which ${first} is`);
    places.set(id, path);
  }
}
