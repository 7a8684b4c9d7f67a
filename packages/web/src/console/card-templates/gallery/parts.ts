/** The text of the language that an example is wanted in. */
export type Pick = (english: string, chinese: string) => string;

/** A caption. */
export function plain(content: string): object {
  return { tag: "plain_text", content };
}

export function markdown(content: string): object {
  return { tag: "markdown", content };
}

/** What stands side by side; on a phone it wraps. */
export function columns(...contents: (string | object[])[]): object {
  return {
    tag: "column_set",
    columns: contents.map((content) => ({
      tag: "column",
      width: "weighted",
      weight: 1,
      elements: typeof content === "string" ? [markdown(content)] : content,
    })),
  };
}

/** A button that tells the bot of `action`. */
export function button(caption: string, action: string, type = "default"): object {
  return { tag: "button", name: action, text: plain(caption), type, value: { action } };
}

/** A button that opens a page. */
export function linkButton(caption: string, url: string): object {
  return { tag: "button", text: plain(caption), url };
}

export function row(...elements: object[]): object {
  return { tag: "action", elements };
}

/** A card with a coloured header. */
export function card(template: string, title: string, subtitle: string, ...elements: object[]): object {
  const header = { title: plain(title), ...(subtitle !== "" && { subtitle: plain(subtitle) }), template };
  return { schema: "2.0", header, body: { elements } };
}
