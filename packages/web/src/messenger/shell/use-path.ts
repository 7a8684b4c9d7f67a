import { PagePath } from "../../shared/talk/pane/page-path.ts";

/** The messenger's addresses. */
export const { useOpen: useOpenConversation, pathOf, goTo } = new PagePath("/messenger/");
