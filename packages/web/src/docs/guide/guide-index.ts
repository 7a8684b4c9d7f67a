/** The sections of the guide, by their word in the docs' words. */
export type GuideSection = "begin" | "contract" | "operate" | "inside";

/** A page of the guide: a file of the repository's `docs/`, by its path there without the ending. */
export interface GuidePageInfo {
  path: string;
  /** The file's first heading. */
  title: string;
  /** The same page in Chinese, where there is one. */
  zh?: { path: string; title: string };
}

/** The pages in the order in which they are listed. */
export const GUIDE: readonly { section: GuideSection; pages: readonly GuidePageInfo[] }[] = [
  {
    section: "begin",
    pages: [
      {
        path: "quickstart-bot",
        title: "A bot in five minutes",
        zh: { path: "quickstart-bot.zh-CN", title: "五分钟写一个机器人" },
      },
      {
        path: "quickstart-operator",
        title: "A service of your own in five minutes",
        zh: { path: "quickstart-operator.zh-CN", title: "五分钟搭建自己的服务" },
      },
      {
        path: "customer-service",
        title: "Customer service on your site",
        zh: { path: "customer-service.zh-CN", title: "在网站上接入在线客服" },
      },
      { path: "integration", title: "From zero to a bot that replies" },
      { path: "signing-in-your-language", title: "Signing in your language" },
      { path: "sdk", title: "A bot with the SDK" },
      { path: "webhooks", title: "Receiving webhooks" },
      { path: "cards", title: "Writing cards" },
    ],
  },
  {
    section: "contract",
    pages: [
      { path: "contract/README", title: "The contract" },
      { path: "contract/applications", title: "Applications" },
      { path: "contract/signing", title: "Signing" },
      { path: "contract/messages", title: "Messages of a bot" },
      { path: "contract/cards", title: "Cards" },
      { path: "contract/events", title: "Events" },
      { path: "contract/socket", title: "Socket mode" },
      { path: "contract/errors", title: "Errors" },
      { path: "contract/limits", title: "Limits" },
      { path: "contract/customer-service", title: "Customer service" },
      { path: "contract/mini-programs", title: "Mini-programs" },
      { path: "contract/client", title: "The members' client API" },
      { path: "contract/streams", title: "Live streams" },
      { path: "contract/console", title: "The developer console's API" },
      { path: "contract/versioning", title: "Versioning" },
    ],
  },
  {
    section: "operate",
    pages: [
      { path: "configuration", title: "Configuration" },
      { path: "operations", title: "Operations" },
      { path: "provisioning", title: "The provisioning file" },
      { path: "reliability", title: "Reliability" },
      { path: "performance", title: "Performance" },
      { path: "scaling", title: "Scaling" },
    ],
  },
  {
    section: "inside",
    pages: [
      { path: "architecture", title: "Architecture" },
      { path: "concurrency", title: "Concurrency" },
      { path: "decisions", title: "Decisions" },
    ],
  },
];

/** Every page of the guide, those in Chinese beside the others. */
export const ALL_PAGES: readonly GuidePageInfo[] = GUIDE.flatMap(({ pages }) =>
  pages.flatMap((page) => (page.zh === undefined ? [page] : [page, page.zh])),
);

/** The page in a person's language, where it is there in it. */
export function pageIn(locale: string, page: GuidePageInfo): { path: string; title: string } {
  return locale === "zh-CN" && page.zh !== undefined ? page.zh : page;
}

/** The language that a page is written in. */
export function languageOf(path: string): "en" | "zh-CN" {
  return path.endsWith(".zh-CN") ? "zh-CN" : "en";
}
