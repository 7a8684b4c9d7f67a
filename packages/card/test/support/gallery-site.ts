import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { build } from "vite";
import type { NamedCard } from "../../gallery/named-card.ts";

const GALLERY = join(import.meta.dirname, "../../gallery");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};
/** Stricter than the pages' own, which let Ant Design write styles: a card needs no style element and no style attribute. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** The gallery, built as pages are and served under a strict policy. */
export class GallerySite {
  readonly #files: ReadonlyMap<string, string | Uint8Array>;
  readonly #server: Server;
  #cards: readonly NamedCard[] = [];

  private constructor(files: ReadonlyMap<string, string | Uint8Array>) {
    this.#files = files;
    this.#server = createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://gallery").pathname.slice(1) || "index.html";
      const content = path === "cards.json" ? JSON.stringify(this.#cards) : this.#files.get(path);
      response.writeHead(content === undefined ? 404 : 200, {
        "content-type": TYPES[extname(path)] ?? "application/json",
        "content-security-policy": POLICY,
      });
      response.end(content);
    });
  }

  static async start(): Promise<GallerySite> {
    const output = await build({
      root: GALLERY,
      configFile: false,
      logLevel: "error",
      base: "./",
      build: { write: false, target: "baseline-widely-available", modulePreload: { polyfill: false } },
    });
    const [{ output: chunks } = { output: [] }] = [output].flat().filter((one) => "output" in one);
    const files = chunks.map((chunk) => [chunk.fileName, chunk.type === "chunk" ? chunk.code : chunk.source] as const);
    const site = new GallerySite(new Map(files));
    await new Promise<void>((done) => site.#server.listen(0, "127.0.0.1", done));
    return site;
  }

  /** Shows these cards from now on. */
  show(cards: readonly NamedCard[]): void {
    this.#cards = cards;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
