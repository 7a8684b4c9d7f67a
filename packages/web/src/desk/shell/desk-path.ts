import { PagePath } from "../../shared/talk/pane/page-path.ts";

/** The desk's addresses. */
export const { useOpen: useOpenId, open: openNow, goTo } = new PagePath("/desk/");
