import { MAX_ORIGINS } from "@portico/protocol/schemas";
import { Button, Form, Input } from "antd";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { type AppDetail, useAppChange } from "../app/app-queries.ts";
import { FormButtons } from "../ui/form-buttons.tsx";
import { useEditing } from "../ui/use-editing.ts";
import { lineOfNoOrigin, originsOf } from "./origins.ts";
import styles from "./widget-page.module.css";
import { WIDGET } from "./words.ts";

/** On which sites the widget may be; its owner changes them here. */
export function SitesSection() {
  const say = useWords(WIDGET);
  const { app, isOwner } = useApp();
  const { isEditing, begin, end, button } = useEditing();
  const change = (
    <Button ref={button} aria-label={say("editSites")} onClick={begin}>
      {say("edit")}
    </Button>
  );
  return (
    <Section title={say("sites")} lead={say("sitesLead")} actions={isOwner && !isEditing && change}>
      {isEditing ? <OriginsForm app={app} onDone={end} /> : <Origins {...app} />}
    </Section>
  );
}

function Origins({ allowedOrigins }: Pick<AppDetail, "allowedOrigins">) {
  const say = useWords(WIDGET);
  if (allowedOrigins.length === 0) return <p className={styles.description}>{say("noSites")}</p>;
  return (
    <ul className={styles.sites} aria-label={say("sites")}>
      {allowedOrigins.map((origin) => (
        <li key={origin}>
          <code>{origin}</code>
        </li>
      ))}
    </ul>
  );
}

function OriginsForm({ app: { appId, allowedOrigins }, onDone }: { app: AppDetail; onDone: () => void }) {
  const say = useWords(WIDGET);
  const save = useAppChange(appId, (origins: string[]) =>
    consoleApi.updateApp({ params: { appId }, body: { allowedOrigins: origins } }),
  );
  const faultOf = (text: string): string | undefined => {
    const line = lineOfNoOrigin(text);
    if (line !== undefined) return say("siteWrong", { line });
    return originsOf(text).length > MAX_ORIGINS ? say("sitesTooMany", { most: MAX_ORIGINS }) : undefined;
  };
  return (
    <Form<{ sites: string }>
      className={styles.form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ sites: allowedOrigins.join("\n") }}
      onFinish={({ sites }) => {
        if (!save.isPending) save.mutate(originsOf(sites), { onSuccess: onDone });
      }}
    >
      <Form.Item
        name="sites"
        label={say("sites")}
        extra={say("sitesHint")}
        validateTrigger="onSubmit"
        rules={[
          {
            async validator(_, text: string) {
              const fault = faultOf(text);
              if (fault !== undefined) throw new Error(fault);
            },
          },
        ]}
      >
        <Input.TextArea
          autoFocus
          className={styles.origins}
          autoSize={{ minRows: 3, maxRows: 12 }}
          spellCheck={false}
          placeholder="https://www.example.com"
        />
      </Form.Item>
      {save.isError && <ErrorNotice error={save.error} />}
      <FormButtons isPending={save.isPending} onCancel={onDone} />
    </Form>
  );
}
