/**
 * What `npm pack` and `npm publish` run before and after they read a package: `lifecycle.ts prepack|postpack`, in the
 * package's folder. In the repository a package's manifest names its sources, which run as they are; for as long as it
 * is packed, the manifest is that of the built package.
 */

import { existsSync } from "node:fs";
import { copyFile, cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stagePackage } from "./stage.ts";

const packageDir = process.cwd();
const LOCK = "npm-shrinkwrap.json";
const manifest = join(packageDir, "package.json");
const kept = join(packageDir, ".package.json.kept");

async function prepack(): Promise<void> {
  // An earlier one was killed before its end.
  await restore();
  const staged = await mkdtemp(join(tmpdir(), "portico-package-"));
  try {
    await stagePackage(packageDir, staged);
    await rm(join(packageDir, "dist"), { recursive: true, force: true });
    await cp(join(staged, "dist"), join(packageDir, "dist"), { recursive: true });
    await copyFile(join(staged, "LICENSE"), join(packageDir, "LICENSE"));
    if (existsSync(join(staged, LOCK))) await copyFile(join(staged, LOCK), join(packageDir, LOCK));
    await copyFile(manifest, kept);
    await copyFile(join(staged, "package.json"), manifest);
  } finally {
    await rm(staged, { recursive: true });
  }
}

async function restore(): Promise<void> {
  if (existsSync(kept)) await rename(kept, manifest);
  await rm(join(packageDir, LOCK), { force: true });
}

await (process.argv[2] === "prepack" ? prepack() : restore());
