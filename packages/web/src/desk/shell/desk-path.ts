import { PagePath } from "../../shared/talk/pane/page-path.ts";

/** The desk's addresses. */
export const { useOpen: useOpenId, usePlace, open: openNow, goTo, forgetPlace } = new PagePath("/desk/");
