/** The members of a package.json that are used. */
export interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: unknown;
  scripts?: unknown;
  publishConfig?: Record<string, unknown>;
  [member: string]: unknown;
}

/**
 * The manifest of the built package: the members of `publishConfig` replace those for the repository, and what only the
 * repository uses is left out.
 */
export function publishedManifest(manifest: Manifest): Manifest {
  const { publishConfig = {}, devDependencies: _, scripts: __, ...kept } = manifest;
  const { access, ...replacing } = publishConfig;
  return { ...kept, ...replacing, publishConfig: { access } };
}
