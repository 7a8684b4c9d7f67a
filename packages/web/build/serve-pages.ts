import type { Plugin } from "vite";

/** Which page answers which paths; the service has the same rule (packages/server). */
const PAGES = [
  { begins: "/console/", page: "/console/index.html" },
  { begins: "/docs/", page: "/docs/index.html" },
  { begins: "/desk/", page: "/desk/index.html" },
  { begins: "/messenger/", page: "/messenger/index.html" },
  { begins: "/qr/login", page: "/messenger/index.html" },
];

/** Makes `npm run dev` answer the paths inside a page with that page, as the service does. */
export function servePages(): Plugin {
  return {
    name: "portico-serve-pages",
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const { pathname } = new URL(request.url ?? "/", "http://localhost");
        const found = PAGES.find(({ begins }) => pathname.startsWith(begins));
        if (found !== undefined && request.headers.accept?.includes("text/html")) request.url = found.page;
        next();
      });
    },
  };
}
