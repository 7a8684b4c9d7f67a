import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { bundleScripts } from "./bundle.ts";
import { writeDeclarations } from "./declarations.ts";
import { type Manifest, publishedManifest } from "./manifest.ts";
import { PACKAGES, type PackageBuild } from "./packages.ts";
import { shrinkwrapOf } from "./shrinkwrap.ts";
import { joinStyles } from "./styles.ts";
import { writeTree } from "./tree.ts";

const LICENSE = resolve(import.meta.dirname, "../../LICENSE");

/**
 * Builds a package of the workspace into a folder, as it is published: `dist`, manifest, README and license.
 *
 * @param packageDir absolute.
 * @param outDir absolute; what is in it goes.
 * @throws Error when it would not work where it is installed: it imports what its manifest does not list.
 */
export async function stagePackage(packageDir: string, outDir: string): Promise<void> {
  const build = PACKAGES[basename(packageDir)];
  if (build === undefined) throw new Error(`${packageDir} is no package that can be installed`);
  const manifest = publishedManifest(JSON.parse(await readFile(join(packageDir, "package.json"), "utf8")) as Manifest);
  const dist = join(outDir, "dist");
  await rm(outDir, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  if ("program" in build) {
    const { dependencies } = await writeTree(build.program, dist);
    manifest.dependencies = Object.fromEntries(Object.entries(dependencies).toSorted());
    const lock = await shrinkwrapOf(`packages/${basename(packageDir)}`, manifest);
    await writeFile(join(outDir, "npm-shrinkwrap.json"), `${JSON.stringify(lock, null, 2)}\n`);
  } else {
    await buildLibrary(packageDir, dist, build, manifest);
  }
  await writeFile(join(outDir, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(join(packageDir, "README.md"), join(outDir, "README.md"));
  await cp(LICENSE, join(outDir, "LICENSE"));
}

async function buildLibrary(packageDir: string, dist: string, build: PackageBuild, manifest: Manifest): Promise<void> {
  await bundleScripts(packageDir, dist, build, manifest);
  if (build.types) {
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    await writeDeclarations(packageDir, dist, build, installed);
  }
  // The folder's files are CommonJS although the package's others are not.
  if (build.formats.includes("cjs")) await writeFile(join(dist, "cjs/package.json"), '{ "type": "commonjs" }\n');
  if (build.stylesheet !== undefined) {
    await writeFile(join(dist, "style.css"), await joinStyles(join(packageDir, build.stylesheet)));
  }
}
