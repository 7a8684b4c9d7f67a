import { LinkifyIt, REBuilder } from "linkify-it";

/** Letters and marks of scripts that set no blanks between words: an address ends before them, and may begin after them. */
const CJK =
  "[\\u1100-\\u11ff\\u2e80-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff00-\\uffef]|[\\ud840-\\ud8bf][\\udc00-\\udfff]";

/** Where an address begins and ends in a text that may be Chinese, Japanese or Korean. */
class Patterns extends REBuilder {
  override get_text_separators(): RegExp {
    return new RegExp(`[><\`]|${CJK}`);
  }

  override get_schema_search(): RegExp {
    // One that is kept, for where a search goes on is kept with it.
    this.cache.schema_search ??= new RegExp(`((?<![a-z0-9_]))(${this.get_schema_names().source})`, "ig");
    return this.cache.schema_search;
  }

  /** A host that begins with such a letter has them in its name. */
  override get_url_host_port(): RegExp {
    const letter = `(?:(?![><\`\\uff00-\\uffef]|${this.src_ZPCc})${this.src_Any})`;
    const own = `(?=${CJK})${letter}(?:[.-]?${letter}){0,252}${this.get_port().source}`;
    return new RegExp(`(?:${own}|${super.get_url_host_port().source})`);
  }
}

/**
 * Finds the addresses of the web in a text: without the marks that a sentence puts behind them, with the brackets that they
 * have themselves. Addresses without their scheme are no links, since what is one changes with the names that are sold.
 */
export const linkifier = new LinkifyIt({ rebuilder: new Patterns(), fuzzyEmail: false, urlAuth: true });
for (const scheme of ["ftp:", "mailto:", "//"]) linkifier.add(scheme, null);
