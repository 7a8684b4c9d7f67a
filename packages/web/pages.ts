/** Where `npm run build` puts the pages: a folder of static files with `index.html`, `console/index.html`, `messenger/index.html` and so on. */
export const PAGES_FOLDER = new URL("./dist/", import.meta.url);
