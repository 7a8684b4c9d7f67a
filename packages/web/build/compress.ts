import { readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXTS = new Set([".html", ".js", ".css", ".svg", ".json", ".txt"]);
/** Below it, the headers of another encoding outweigh what it saves. */
const WORTH_BYTES = 1_024;

/**
 * Writes a `.br` and a `.gz` beside each text that was built, so that the service compresses nothing as it answers.
 *
 * @param names of the files, below the folder of the build, that are this build's.
 */
export function compress(names = /(?:)/): Plugin {
  let folder = "";
  return {
    name: "portico-compress",
    apply: "build",
    configResolved({ root, build }) {
      folder = join(root, build.outDir);
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      const texts = files
        .filter((file) => file.isFile() && TEXTS.has(extname(file.name)))
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => names.test(relative(folder, path).replaceAll(sep, "/")));
      await Promise.all(texts.map(compressFile));
    },
  };
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < WORTH_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params })),
    writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 })),
  ]);
}
