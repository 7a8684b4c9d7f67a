// Runs before anything is drawn: the person's language and theme, so that no page flashes in another.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read("portico.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const locale = read("portico.locale");
  if (locale === "zh-CN" || locale === "en-US") document.documentElement.lang = locale;
})();
