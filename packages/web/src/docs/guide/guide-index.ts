/** The sections of the guide, by their word in the docs' words. */
export type GuideSection = "begin" | "contract" | "operate" | "inside";

/** A page of the guide: a file of the repository's `docs/`, by its path there without the ending. */
export interface GuidePageInfo {
  path: string;
  /** The file's first heading. */
  title: string;
}

/** The pages in the order in which they are listed. */
export const GUIDE: readonly { section: GuideSection; pages: readonly GuidePageInfo[] }[] = [
  {
    section: "begin",
    pages: [
      { path: "integration", title: "From zero to a bot that replies" },
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
