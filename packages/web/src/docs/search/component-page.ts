import { GROUPS, samples } from "../components/samples.ts";
import type { SearchPage } from "./search-texts.ts";

/** The gallery of components as a page to search: each tag is a place. */
export function componentPage(title: string): SearchPage {
  const all = samples("");
  const tags = GROUPS.flatMap((group) => all[group]);
  const sections = tags.map((sample) => ({ anchor: sample.tag, heading: sample.tag, text: JSON.stringify(sample) }));
  return { path: "/components", title, sections: [{ anchor: "", heading: title, text: "" }, ...sections] };
}
