// Runs before anything is painted: the person's language and theme, so that no page flashes in another. The pages' own code
// has the same rules (src/shared/look/preferences.ts), and goes on from here.
(() => {
  const { documentElement: root } = document;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read("portico.theme");
  const isDark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = isDark ? "dark" : "light";
  const locale = read("portico.locale");
  const language = [locale, ...navigator.languages].find((each) => /^(zh|en)\b/i.test(each)) ?? "en";
  root.lang = /^zh/i.test(language) ? "zh-CN" : "en-US";

  // Where the pages' code does not arrive, nothing else could say so.
  const fail = () => {
    root.dataset.failed = "";
  };
  addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && fail(), true);
  addEventListener("unhandledrejection", fail);
})();
