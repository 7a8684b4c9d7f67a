import { useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { usePreferences } from "../../../shared/look/preferences.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { useApp } from "../../app/app-context.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import { EXAMPLES, type Example, exampleIn } from "../gallery/examples.ts";
import { formatCard, formatText } from "../study/format-card.ts";
import { type TemplateDetail, useTemplate } from "../template-queries.ts";
import { TEMPLATES } from "../words.ts";
import { Studio } from "./studio.tsx";

/** Stands in the address in the place of the id that a new template does not have yet. */
const NEW = "new";

/** Where a card template is written: a new one, or one that there is. */
export function StudioPage() {
  const { cardId } = useParams();
  const { app } = useApp();
  const say = useWords(TEMPLATES);
  // A new template that is saved gets its address, and the text stays under the cursor.
  const [created, setCreated] = useState<string>();
  if (app.type !== "BOT") return <EmptyState title={say("onlyBots")} hint={say("onlyBotsHint")} />;
  if (cardId === undefined || cardId === NEW || cardId === created) return <NewTemplate onCreated={setCreated} />;
  return <KnownTemplate key={cardId} cardId={cardId} />;
}

function NewTemplate({ onCreated }: { onCreated: (cardId: string) => void }) {
  const { app } = useApp();
  const say = useWords(TEMPLATES);
  const { locale } = usePreferences();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [start] = useState(() => startOf(params.get("example"), say, locale));
  return (
    <Studio
      start={start}
      onSaved={({ cardId }, isFirst) => {
        if (!isFirst) return;
        onCreated(cardId);
        void navigate(`/apps/${app.appId}/card-templates/${encodeURIComponent(cardId)}`, { replace: true });
      }}
    />
  );
}

function KnownTemplate({ cardId }: { cardId: string }) {
  const { app } = useApp();
  const query = useTemplate(app.appId, cardId);
  return (
    <QueryView query={query} skeleton={<Waiting rows={12} />}>
      {(template) => <Loaded template={template} />}
    </QueryView>
  );
}

function Loaded({ template }: { template: TemplateDetail }) {
  // What comes later would take away what somebody is writing.
  const [{ cardId, version, name, text }] = useState(template);
  const [start] = useState(() => ({ cardId, version, name, text: formatText(text) }));
  return <Studio start={start} />;
}

function startOf(
  id: string | null,
  say: (key: Example["id"]) => string,
  locale: Parameters<typeof exampleIn>[0],
): { name: string; text: string } {
  const example = EXAMPLES.find((each) => each.id === id);
  if (example !== undefined) return { name: say(example.id), text: formatCard(exampleIn(locale, example)) };
  const header = { title: { tag: "plain_text", content: "" }, template: "blue" };
  return { name: "", text: formatCard({ schema: "2.0", header, body: { elements: [] } }) };
}
