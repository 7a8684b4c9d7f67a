import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { SAMPLES } from "./samples.ts";

const CORPORA = process.env.PORTICO_TEST_CORPORA;

/** `npm run gallery -w @portico/card`: the samples, and the published cards where there are any. */
export default defineConfig({
  plugins: [
    react(),
    {
      name: "cards",
      configureServer(server) {
        server.middlewares.use("/cards.json", (_request, response) => {
          response.end(JSON.stringify([...SAMPLES, ...published()]));
        });
      },
    },
  ],
});

function published(): { name: string; card: unknown }[] {
  if (CORPORA === undefined) return [];
  const folder = join(CORPORA, "feishu-cards");
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return names.map((name) => ({ name, card: JSON.parse(readFileSync(join(folder, name), "utf8")) }));
}
