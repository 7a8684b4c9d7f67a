/** Made when the pages are built (`build/guide-search.ts`). */
declare module "virtual:guide-search" {
  const pages: readonly import("./search-texts.ts").SearchPage[];
  export default pages;
}
