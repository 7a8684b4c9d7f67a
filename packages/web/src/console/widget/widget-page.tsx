import { Switch } from "antd";
import { consoleApi } from "../../shared/session/console.ts";
import { useDocsUrl, useStartInfo } from "../../shared/session/start-info.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Page, Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { LookSection } from "./look-section.tsx";
import { SitesSection } from "./sites-section.tsx";
import styles from "./widget-page.module.css";
import { WIDGET } from "./words.ts";

/** How visitors' widget gets onto a site, who may write in it, and how it looks. */
export function WidgetPage() {
  const say = useWords(WIDGET);
  const sayApp = useWords(APP);
  const { app } = useApp();
  return (
    <Page title={sayApp("widget")} lead={say("lead")}>
      {app.type === "CUSTOMER_SERVICE" ? (
        <>
          <InstallSection />
          <SitesSection />
          <AnonymousSection />
          <LookSection />
        </>
      ) : (
        <EmptyState title={say("notService")} />
      )}
    </Page>
  );
}

function InstallSection() {
  const say = useWords(WIDGET);
  const { app } = useApp();
  const { data: info } = useStartInfo();
  const guide = `${useDocsUrl()}guide/customer-service`;
  const baseUrl = info?.baseUrl ?? location.origin;
  const tag = `<script src="${baseUrl}/widget.js" data-app-id="${app.appId}" async></script>`;
  return (
    <Section title={say("install")} lead={say("installLead")}>
      <CodeBlock title={say("tag")} text={tag} />
      <p className={styles.description}>
        {say("installMore")} <a href={guide}>{say("guide")}</a>
      </p>
    </Section>
  );
}

/** Takes effect at once, as a switch does. */
function AnonymousSection() {
  const say = useWords(WIDGET);
  const { app, isOwner } = useApp();
  const { appId, anonymousVisitors } = app;
  const change = useAppChange(appId, (allowed: boolean) =>
    consoleApi.updateApp({ params: { appId }, body: { anonymousVisitors: allowed } }),
  );
  const allowed = change.isPending ? change.variables : anonymousVisitors;
  return (
    <Section title={say("anonymous")} lead={say("anonymousLead")}>
      <div className={styles.switch}>
        <Switch
          aria-label={say("anonymous")}
          checked={allowed}
          disabled={!isOwner}
          loading={change.isPending}
          onChange={(checked) => change.mutate(checked)}
        />
        <span>{say(allowed ? "anonymousOn" : "anonymousOff")}</span>
      </div>
      {change.isError && <ErrorNotice error={change.error} />}
    </Section>
  );
}
