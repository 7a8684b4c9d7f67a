import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import type { Manifest } from "./manifest.ts";
import type { PackageBuild } from "./packages.ts";
import { plainEndpoints } from "./plain-endpoints.ts";

/**
 * Writes a package's scripts to `outDir`, a folder for each format. The workspace's own packages become part of them;
 * what the manifest lists is imported.
 *
 * @throws Error when they import what the manifest does not list.
 */
export async function bundleScripts(
  packageDir: string,
  outDir: string,
  build: PackageBuild,
  manifest: Manifest,
): Promise<void> {
  const installed = [
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
    ...(build.optional ?? []),
  ];
  const isInstalled = (id: string) => installed.some((name) => id === name || id.startsWith(`${name}/`));
  const bundle = await rolldown({
    cwd: packageDir,
    input: { ...build.entries },
    platform: "neutral",
    external: (id) => id.startsWith("node:") || isInstalled(id),
    plugins: [plainEndpoints(), withoutStyles()],
    transform: { target: "node20", jsx: "react-jsx" },
    resolve: { mainFields: ["module", "main"] },
    treeshake: { moduleSideEffects: false },
    logLevel: "warn",
  });
  try {
    for (const format of build.formats) {
      const { output } = await bundle.write({
        dir: join(outDir, format),
        format,
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        comments: { legal: true, annotation: true, jsdoc: false },
      });
      const imported = output.flatMap((chunk) =>
        chunk.type === "chunk" ? [...chunk.imports, ...chunk.dynamicImports] : [],
      );
      const own = new Set(output.map(({ fileName }) => fileName));
      const unknown = imported.filter((id) => !own.has(id) && !id.startsWith("node:") && !isInstalled(id));
      if (unknown.length > 0) throw new Error(`not in the dependencies of ${packageDir}: ${unknown.join(", ")}`);
    }
  } finally {
    await bundle.close();
  }
}

/** Pages load the stylesheet by itself: not every bundler takes one from a script of a package. */
function withoutStyles(): Plugin {
  return {
    name: "without-styles",
    load: { filter: { id: /\.css$/ }, handler: () => ({ code: "", moduleType: "js", moduleSideEffects: false }) },
  };
}
