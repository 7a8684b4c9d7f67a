import { OPERATOR_ENDPOINTS } from "@portico/protocol/endpoints";
import { listDevelopers as list } from "../../../domain/directory/developer-store.ts";
import type { ConsoleRoute } from "../../common/console/console-route.ts";

/** GET operator/developers. */
export const listDevelopers: ConsoleRoute<typeof OPERATOR_ENDPOINTS.listDevelopers> = {
  endpoint: OPERATOR_ENDPOINTS.listDevelopers,
  async handle({ storage }, { query }) {
    const { keyword = "", page = 1, pageSize = 20 } = query;
    const found = await list(storage.lists, storage.dialect, { keyword, page, pageSize });
    return { ...found, page, pageSize };
  },
};
