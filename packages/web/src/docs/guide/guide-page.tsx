import { useQuery } from "@tanstack/react-query";
import { type MouseEvent, useEffect, useMemo } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { NotFound } from "../../shared/app/not-found.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { SHARED } from "../../shared/words/shared.ts";
import { useWords } from "../../shared/words/words.ts";
import { ALL_PAGES, languageOf } from "./guide-index.ts";
import styles from "./guide-page.module.css";
import { guideText } from "./guide-pages.ts";
import { renderGuide } from "./markdown.ts";

/** A page of the guide, as it stands in the repository. */
export function GuidePage() {
  const { "*": path = "" } = useParams();
  const load = guideText(path);
  const { data, error, refetch } = useQuery({
    queryKey: ["guide", path],
    queryFn: () => load?.() ?? Promise.reject(new Error(`the guide has no page ${path}`)),
    enabled: load !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const say = useWords(SHARED);
  if (load === undefined) return <NotFound />;
  if (error !== null) {
    return (
      <Page title={titleOf(path)}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (data === undefined) return <div className="coming" role="status" aria-label={say("loading")} />;
  return <GuideText key={path} path={path} text={data} />;
}

function GuideText({ path, text }: { path: string; text: string }) {
  const html = useMemo(() => ({ __html: renderGuide(text, path) }), [text, path]);
  const { hash } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    document.title = `${titleOf(path)} · Portico`;
  }, [path]);
  useEffect(() => {
    if (hash !== "") document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView();
  }, [hash]);
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const href = link?.getAttribute("href");
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (!href?.startsWith("/docs/") && !href?.startsWith("#")) return;
    event.preventDefault();
    void navigate(href.replace(/^\/docs/, ""));
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press of a key on a link is a click
    // biome-ignore lint/security/noDangerouslySetInnerHtml: made from the repository's own text, without HTML of it
    <article lang={languageOf(path)} className={styles.guide} onClick={follow} dangerouslySetInnerHTML={html} />
  );
}

function titleOf(path: string): string {
  return ALL_PAGES.find((page) => page.path === path)?.title ?? path;
}
