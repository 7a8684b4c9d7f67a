/** A metric as it is exposed to Prometheus. */
interface Family {
  type: string;
  help: string;
}

/** The content of a scrape. */
export interface Exposed {
  families: ReadonlyMap<string, Family>;
  /** The value of the first sample that has these labels; undefined when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
}

/** Reads Prometheus' text format. */
export function exposed(text: string): Exposed {
  const families = new Map<string, Family>();
  for (const [, name = "", help = ""] of text.matchAll(/^# HELP (\S+) (.*)$/gm)) {
    families.set(name, { help, type: new RegExp(`^# TYPE ${name} (\\w+)$`, "m").exec(text)?.[1] ?? "" });
  }
  return {
    families,
    value(name, labels = {}) {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      for (const [, found = "", value = ""] of text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, "gm"))) {
        if (wanted.every((part) => found.includes(part))) return Number(value);
      }
      return undefined;
    },
  };
}
