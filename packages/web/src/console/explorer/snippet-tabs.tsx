import { Tabs } from "antd";
import { SNIPPET_LANGUAGES } from "../../shared/calls/snippets/index.ts";
import type { SnippetCall } from "../../shared/calls/snippets/snippet-call.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useAddress } from "../lists/address.ts";
import { EXPLORER } from "./words.ts";

/** The call in several languages. */
export function SnippetTabs({ call }: { call: SnippetCall }) {
  const say = useWords(EXPLORER);
  const { params, change } = useAddress();
  const chosen = SNIPPET_LANGUAGES.find(({ key }) => key === params.get("language")) ?? SNIPPET_LANGUAGES[0];
  return (
    <Section title={say("code")} lead={say("codeLead")}>
      <Tabs
        activeKey={chosen?.key ?? ""}
        onChange={(language) => change({ language })}
        items={SNIPPET_LANGUAGES.map(({ key, name, write }) => ({
          key,
          label: name,
          children: key === chosen?.key && <CodeBlock title={name} text={write(call)} />,
        }))}
      />
    </Section>
  );
}
