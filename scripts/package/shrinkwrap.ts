import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Manifest } from "./manifest.ts";

const REPOSITORY = resolve(import.meta.dirname, "../..");

/** A package of a lock file. */
export interface LockedPackage {
  version: string;
  integrity?: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  [member: string]: unknown;
}

/** The packages of a lock file by their place, such as `node_modules/pg`. */
export type Locked = Record<string, LockedPackage>;

/** The repository's lock file. */
export async function readLock(): Promise<{ lockfileVersion: number; packages: Locked }> {
  return JSON.parse(await readFile(join(REPOSITORY, "package-lock.json"), "utf8"));
}

/** A package that is part of an installation, with its place there and in the repository. */
export interface Place {
  place: string;
  from: string;
  locked: LockedPackage;
}

/**
 * All packages that a workspace's dependencies lead to, with those for other platforms, where npm would lay them for who
 * installs the package alone: the workspace's own first, and what wants a place that is taken beside the one that needs it.
 *
 * @throws Error when one is not in the lock file.
 */
export function closureOf(packages: Locked, workspace: string, dependencies: Record<string, string>): Place[] {
  const places = new Map<string, Place>();
  const waiting: Wanted[] = wantedBy({ dependencies }, { place: "", from: workspace });
  for (const { name, by, isOptional } of waiting) {
    const from = placeSeenFrom(packages, by.from, name);
    const locked = from === null ? undefined : packages[from];
    if (from === null || locked === undefined) {
      if (isOptional) continue;
      throw new Error(`${name} is not in the lock file, and ${by.from} needs it`);
    }
    const usual = from.startsWith(`${workspace}/`) ? from.slice(workspace.length + 1) : from;
    const isTaken = (places.get(usual)?.from ?? from) !== from;
    const place = isTaken ? `${by.place}/node_modules/${name}` : usual;
    if (places.has(place)) continue;
    const found = { place, from, locked };
    places.set(place, found);
    waiting.push(...wantedBy(locked, found));
  }
  return [...places.values()].toSorted((a, b) => (a.place < b.place ? -1 : 1));
}

interface Wanted {
  name: string;
  by: Pick<Place, "place" | "from">;
  isOptional: boolean;
}

function wantedBy(
  {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  }: Partial<LockedPackage>,
  by: Pick<Place, "place" | "from">,
): Wanted[] {
  // npm lays peers too, unless they are optional.
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const names = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]);
  return [...names].map((name) => ({ name, by, isOptional: name in optionalDependencies }));
}

/** A lock file for who installs the package: the versions, and the content, that the repository was tested with. */
export async function shrinkwrapOf(workspace: string, manifest: Manifest): Promise<object> {
  const { lockfileVersion, packages } = await readLock();
  const { name, version, license, dependencies = {}, bin, engines } = manifest;
  const places = closureOf(packages, workspace, dependencies);
  return {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: {
      "": { name, version, license, dependencies, bin, engines },
      ...Object.fromEntries(places.map(({ place, locked }) => [place, withoutDevMark(locked)])),
    },
  };
}

/** As Node does it: from the folder itself up to the root. */
function placeSeenFrom(packages: Locked, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (!folder.endsWith("/node_modules") && place in packages) return place;
    if (folder === "") return null;
  }
}

/** Peers and packages for development in the repository may be neither for who installs this. */
function withoutDevMark({ dev: _, peer: __, devOptional: ___, ...kept }: LockedPackage): object {
  return kept;
}
