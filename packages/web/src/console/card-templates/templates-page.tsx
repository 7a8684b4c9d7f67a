import { Button } from "antd";
import { useState } from "react";
import { useNavigate } from "react-router";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Page, Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { pageIn, useAddress } from "../lists/address.ts";
import { QueryView } from "../ui/query-view.tsx";
import { Waiting } from "../ui/waiting.tsx";
import { DeleteTemplateDialog } from "./delete-template-dialog.tsx";
import { Gallery } from "./gallery/gallery.tsx";
import { type Template, useTemplates } from "./template-queries.ts";
import { TemplateTable } from "./template-table.tsx";
import { TEMPLATES } from "./words.ts";

/** An application's card templates. */
export function TemplatesPage() {
  const say = useWords(TEMPLATES);
  const { app, isOwner } = useApp();
  const isBot = app.type === "BOT";
  const navigate = useNavigate();
  const create = (
    <Button type="primary" onClick={() => navigate("new")}>
      {say("newTemplate")}
    </Button>
  );
  return (
    <Page title={say("title")} lead={say("lead")} actions={isBot && isOwner && create}>
      {isBot ? <TemplateList /> : <EmptyState title={say("onlyBots")} hint={say("onlyBotsHint")} />}
    </Page>
  );
}

function TemplateList() {
  const { app, isOwner } = useApp();
  const { params, change } = useAddress();
  const page = pageIn(params);
  const query = useTemplates(app.appId, page);
  const [removed, setRemoved] = useState<Template>();
  return (
    <QueryView query={query} skeleton={<Waiting rows={6} />}>
      {({ items, total }) => (
        <>
          {total === 0 && <NoTemplates isOwner={isOwner} />}
          {total > 0 && (
            <TemplateTable
              items={items}
              paging={{ page, total, onPage: (next) => change({ page: next }) }}
              onRemove={isOwner ? setRemoved : undefined}
            />
          )}
          {items[0] !== undefined && <HowToSend cardId={items[0].cardId} />}
          {removed !== undefined && <DeleteTemplateDialog template={removed} onClose={() => setRemoved(undefined)} />}
        </>
      )}
    </QueryView>
  );
}

function NoTemplates({ isOwner }: { isOwner: boolean }) {
  const say = useWords(TEMPLATES);
  const navigate = useNavigate();
  if (!isOwner) return <EmptyState title={say("empty")} hint={say("emptyViewer")} />;
  return (
    <>
      <EmptyState title={say("empty")} hint={say("emptyHint")} />
      <Section title={say("examples")} lead={say("examplesLead")}>
        <Gallery onChoose={({ id }) => navigate(`new?example=${id}`)} />
      </Section>
    </>
  );
}

/** The body of a send, with a template of this application. */
function HowToSend({ cardId }: { cardId: string }) {
  const say = useWords(TEMPLATES);
  const body = { receiveIdType: "group_id", receiveId: "…", msgType: "card", content: { cardId } };
  const text = `POST /api/open/v2/bot/messages\n\n${JSON.stringify(body, null, 2)}`;
  return <CodeBlock title={say("sendTitle")} text={text} />;
}
