import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { useWords } from "../../shared/words/words.ts";
import { callsOf, useApiDocument } from "../reference/api-document.ts";
import { DOCS } from "../words.ts";
import { componentPage } from "./component-page.ts";
import { referencePages } from "./reference-pages.ts";
import { type Hit, searchTexts } from "./search-texts.ts";

/** What the texts of guide and reference have of a query. The guide's are loaded when something is sought first. */
export function useTextSearch(query: string): { hits: readonly Hit[]; isLoading: boolean } {
  const document = useApiDocument();
  const title = useWords(DOCS)("components");
  const sought = useDeferredValue(query.trim());
  const { data: guide, isLoading } = useQuery({
    queryKey: ["guide search"],
    queryFn: async () => (await import("virtual:guide-search")).default,
    enabled: sought !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  const pages = useMemo(
    () => (guide === undefined ? [] : [...guide, componentPage(title), ...referencePages(document, callsOf(document))]),
    [guide, document, title],
  );
  const hits = useMemo(() => searchTexts(pages, sought), [pages, sought]);
  return { hits, isLoading };
}
