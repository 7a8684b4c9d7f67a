import {
  bearerExchange,
  createApiClient,
  LiveStream,
  type StreamState,
  VISITOR_STREAM,
  type VisitorFrame,
} from "@portico/protocol/client";
import { WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";
import { PorticoClient } from "@portico/sdk";
import type { DemoService } from "./demo-service.ts";

const SERVICE = "app_demo_service";

/** The integrator's side of the demo's customer service. */
export function integrator(service: DemoService) {
  const { appId, credentials } = service.app(SERVICE);
  const [credential] = credentials;
  if (credential === undefined) throw new Error("the demo's customer service has no credential");
  return new PorticoClient({ baseUrl: service.url, appId, ...credential }).customer;
}

/** What an integrator may say of a visitor. */
interface VisitorFields {
  nickname?: string;
  phone?: string;
  email?: string;
  extra?: Record<string, unknown>;
}

/** A customer at their widget, which is played by its API and its stream. */
export async function deskVisitor(service: DemoService, thirdUserId: string, fields: VisitorFields = {}) {
  const { visitorId, visitorToken } = await integrator(service).authVisitor({ thirdUserId, ...fields });
  const api = createApiClient(WIDGET_ENDPOINTS, bearerExchange({ baseUrl: service.url, token: visitorToken }));
  return {
    visitorId,
    api,
    say: (content: string) => api.postMessage({ body: { content } }),
    async send(msgType: "image" | "file", file: Blob, fileName: string) {
      const { fileKey } = await api.uploadFile({ file, fileName });
      const size = msgType === "image" ? { width: 1, height: 1 } : {};
      return await api.postMessage({ body: { msgType, content: { fileKey, ...size } } });
    },
    /** Opens their stream. The caller closes it. */
    watch(
      onFrame: (frame: VisitorFrame) => void,
      onState: (state: StreamState) => void = () => {},
    ): LiveStream<VisitorFrame> {
      return new LiveStream({ baseUrl: service.url, kind: VISITOR_STREAM, token: visitorToken, onFrame, onState });
    },
  };
}
