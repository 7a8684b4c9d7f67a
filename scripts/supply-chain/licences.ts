/** `npm run licences`: lists what the service and the other packages depend on, by licence. */

import { readLock } from "../package/shrinkwrap.ts";

const { packages } = await readLock();
const byLicence = Map.groupBy(
  Object.entries(packages).filter(([place, { dev, link }]) => /(^|\/)node_modules\//.test(place) && !dev && !link),
  ([, { license }]) => license ?? "unknown",
);
for (const [licence, all] of [...byLicence].toSorted(([, a], [, b]) => b.length - a.length)) {
  const names = all.map(([place, { version }]) => `${place.replace(/^.*node_modules\//, "")}@${version}`);
  process.stdout.write(`${licence} (${names.length})\n  ${names.toSorted().join("\n  ")}\n`);
}
