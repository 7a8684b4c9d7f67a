/**
 * Lets Node run components: `node --import ./scripts/test-run/load-jsx.ts --test some.test.tsx`. Node strips types by
 * itself, but does not know JSX; and a stylesheet that a component imports is nothing without a browser.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

const STYLESHEET = /\.css$/;

registerHooks({
  load(url, context, nextLoad) {
    if (STYLESHEET.test(url)) return { format: "module", source: "", shortCircuit: true };
    if (!url.endsWith(".tsx")) return nextLoad(url, context);
    const path = fileURLToPath(url);
    const { code, errors, map } = transformSync(path, readFileSync(path, "utf8"), {
      jsx: { runtime: "automatic" },
      sourcemap: true,
      target: "es2024",
    });
    if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map((error) => error.message).join("; ")}`);
    return { format: "module", source: `${code}${inlineMap(map)}`, shortCircuit: true };
  },
});

/** Without it the lines of a stack trace would be those of the transformed source. */
function inlineMap(map: unknown): string {
  if (map === undefined) return "";
  const encoded = Buffer.from(JSON.stringify(map)).toString("base64");
  return `\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
}
