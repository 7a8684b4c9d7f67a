import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const { PORT = "3000" } = process.env;

/** The files of the site. Any web server does as well. */
const FILES = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/delivery.html": ["delivery.html", "text/html; charset=utf-8"],
  "/site.css": ["site.css", "text/css; charset=utf-8"],
  "/ask.js": ["ask.js", "text/javascript; charset=utf-8"],
};

const server = createServer(async ({ url = "/" }, response) => {
  const [name, type] = FILES[url.split("?", 1)[0]] ?? [];
  if (name === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": type }).end(await readFile(new URL(name, import.meta.url)));
});
server.listen(Number(PORT), "localhost", () => console.log(`listening on ${server.address().port}`));
