import { useState } from "react";
import { SNIPPET_LANGUAGES } from "../../shared/calls/snippets/index.ts";
import type { OperationName, SnippetCall } from "../../shared/calls/snippets/snippet-call.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { useWords } from "../../shared/words/words.ts";
import { DOCS } from "../words.ts";
import { type Call, useApiDocument } from "./api-document.ts";
import styles from "./code-tabs.module.css";
import { exampleAddress } from "./command.ts";

/** A signed call in several languages, signature included. The one that was chosen last stays. */
export function CodeTabs({ call }: { call: Call }) {
  const say = useWords(DOCS);
  const document = useApiDocument();
  const [key, setKey] = useState(lastChosen);
  const chosen = SNIPPET_LANGUAGES.find((language) => language.key === key) ?? SNIPPET_LANGUAGES[0];
  const { path, query, params } = exampleAddress(call, document);
  const [content] = Object.entries(call.operation.requestBody?.content ?? {});
  const snippet: SnippetCall = {
    // The last part of an operationId is the name of the endpoint.
    operation: call.operation.operationId.split(".").at(-1) as OperationName,
    baseUrl: location.origin,
    appId: "app_demo_bot",
    credentialId: "cred_demo_bot",
    method: call.method ?? "GET",
    path,
    params,
    query,
    body: bodyOf(content),
  };
  return (
    <div className={styles.tabs}>
      <fieldset>
        <legend className="visually-hidden">{say("languages")}</legend>
        {SNIPPET_LANGUAGES.map((language) => (
          <button
            key={language.key}
            type="button"
            aria-pressed={language === chosen}
            onClick={() => {
              lastChosen = language.key;
              setKey(language.key);
            }}
          >
            {language.name}
          </button>
        ))}
      </fieldset>
      {chosen && <CodeBlock title={chosen.name} text={chosen.write(snippet)} />}
    </div>
  );
}

let lastChosen = SNIPPET_LANGUAGES[0]?.key;

function bodyOf(content: [type: string, media: { example?: unknown }] | undefined): SnippetCall["body"] {
  if (content === undefined) return null;
  const [type, { example }] = content;
  if (type === "multipart/form-data") return { fileName: "picture.png", mimeType: "image/png" };
  return { json: JSON.stringify(example) };
}
