import { deskAgent } from "../../screenshots/seed-desk.ts";
import type { DemoService } from "./demo-service.ts";

const APP = "app_demo_service";

/** What calls about a session are asked with. */
interface Session {
  appId: string;
  sessionId: string;
}

/** The desk by its API, as an agent of the demo whom the widget's visitors talk to. */
export async function widgetDesk(service: DemoService, username: "bob" | "carol") {
  const api = await deskAgent(service, username);
  return {
    api,
    /** Accepts who has waited longest; returns the parameters of calls about the session. */
    async accept(): Promise<Session> {
      const { items } = await api.listSessions({ params: { appId: APP }, query: { status: "QUEUED" } });
      const params = { appId: APP, sessionId: String(items[0]?.sessionId) };
      await api.acceptSession({ params });
      return params;
    },
    say: (params: Session, content: string) => api.postMessage({ params, body: { content } }),
    /** The texts of a conversation, and the names of its files. */
    async texts(params: Session): Promise<unknown[]> {
      const { items } = await api.listMessages({ params });
      return items.map(({ content }) => (typeof content === "string" ? content : Object(content).fileName));
    },
    close: (params: Session) => api.closeSession({ params, body: {} }),
  };
}
