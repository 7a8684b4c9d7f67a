/** How a program is built that is installed with all of the workspaces that it imports, file by file. */
export interface ProgramBuild {
  /** Its source, below `packages/`. */
  program: string;
}

/** How a package is built for those who install it. */
export interface PackageBuild {
  /** Output files, without suffix, by their source. */
  entries: Readonly<Record<string, string>>;
  /** The formats of its scripts; each has a folder of its own in `dist`. */
  formats: readonly ("esm" | "cjs")[];
  /** Whether it has type declarations. */
  types: boolean;
  /** Imports that remain although the manifest does not list them. */
  optional?: readonly string[];
  /** The stylesheet, which pages load beside the scripts. */
  stylesheet?: string;
}

/** The packages that can be installed outside the repository, by the folder in `packages/`. */
export const PACKAGES: Readonly<Record<string, PackageBuild | ProgramBuild>> = {
  sdk: {
    entries: {
      index: "src/index.ts",
      "cards/index": "src/cards/index.ts",
      "signature/index": "src/signature/index.ts",
    },
    formats: ["esm", "cjs"],
    types: true,
  },
  cli: {
    entries: { main: "src/main.ts" },
    formats: ["esm"],
    types: false,
    // The commands of the service say so when it is not there.
    optional: ["@portico/server"],
  },
  card: {
    entries: { index: "src/index.ts" },
    formats: ["esm"],
    types: true,
    stylesheet: "src/styles/card.css",
  },
  server: { program: "cli/src/server-bin.ts" },
};
