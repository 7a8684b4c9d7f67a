import { memberText } from "@portico/protocol/json-member";
import { RawJson } from "@portico/protocol/raw-json";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { consoleApi, textOfAnswer } from "../../shared/session/console.ts";
import { PAGE_SIZE } from "../lists/paging-bar.tsx";

/** A template with its card, as the console's API shows it, and as the text that was saved. */
export type TemplateDetail = Awaited<ReturnType<typeof consoleApi.getTemplate>> & { text: string };

/** Adds the text of the card to an answer that has one. */
function withText<Answer extends object>(answer: Answer): Answer & { text: string } {
  return { ...answer, text: memberText(textOfAnswer(answer), "card") ?? "null" };
}

/** A template without its card. */
export type Template = Awaited<ReturnType<typeof consoleApi.listTemplates>>["items"][number];

/** The version of a template. */
export type TemplateVersion = Awaited<ReturnType<typeof consoleApi.listTemplateVersions>>[number];

const templatesKey = (appId: string) => ["app", appId, "templates"] as const;
const templateKey = (appId: string, cardId: string) => ["app", appId, "template", cardId] as const;

/** A page of an application's templates, the most recently saved first. `page` starts at 1. */
export function useTemplates(appId: string, page: number) {
  return useQuery({
    queryKey: [...templatesKey(appId), page],
    queryFn: ({ signal }) =>
      consoleApi.listTemplates({ params: { appId }, query: { page, pageSize: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** A template with its card; nothing is asked while there is no id. It is not read again below somebody who edits it. */
export function useTemplate(appId: string, cardId: string | undefined) {
  return useQuery({
    queryKey: templateKey(appId, cardId ?? ""),
    queryFn: async ({ signal }) =>
      withText(await consoleApi.getTemplate({ params: { appId, cardId: cardId ?? "" } }, { signal })),
    enabled: cardId !== undefined,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** A template's versions, newest first. */
export function useVersions(appId: string, cardId: string) {
  return useQuery({
    queryKey: [...templateKey(appId, cardId), "versions"],
    queryFn: ({ signal }) => consoleApi.listTemplateVersions({ params: { appId, cardId } }, { signal }),
  });
}

/** A version of a template with its card, which never changes. */
export function useVersion(appId: string, cardId: string, version: number | undefined) {
  return useQuery({
    queryKey: [...templateKey(appId, cardId), "version", version],
    queryFn: async ({ signal }) =>
      withText(
        await consoleApi.getTemplateVersion({ params: { appId, cardId, version: String(version) } }, { signal }),
      ),
    enabled: version !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What is saved: a new template where there is no `cardId`, else the version after `version`. */
export interface TemplateDraft {
  cardId: string | undefined;
  /** The version that was edited; when the template has another one by now, the save is refused. */
  version: number | undefined;
  name: string;
  /** JSON text, which is saved as it is. */
  text: string;
}

/** Saves a template. */
export function useSaveTemplate(appId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ cardId, version, name, text }: TemplateDraft) => {
      const card = new RawJson(text);
      return cardId === undefined
        ? consoleApi.createTemplate({ params: { appId }, body: { name, card } })
        : consoleApi.updateTemplate({
            params: { appId, cardId },
            body: { name, card, ...(version !== undefined && { version }) },
          });
    },
    async onSuccess({ cardId }) {
      await client.invalidateQueries({ queryKey: templatesKey(appId) });
      await client.invalidateQueries({ queryKey: [...templateKey(appId, cardId), "versions"] });
    },
  });
}

/** Removes a template with all its versions. */
export function useDeleteTemplate(appId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (cardId: string) => consoleApi.deleteTemplate({ params: { appId, cardId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: templatesKey(appId) }),
  });
}

/** Sends the text of a card to the member who has the developer's phone number. */
export function useSendToMe(appId: string) {
  return useMutation({
    mutationFn: (text: string) => consoleApi.sendCardToMe({ params: { appId }, body: { card: new RawJson(text) } }),
  });
}
