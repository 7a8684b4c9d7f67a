import { PictureTickets } from "../../domain/pictures/picture-tickets.ts";
import type { Config } from "../../platform/config/config.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import { RefreshCookie } from "./refresh-cookie.ts";

/** Where pictures of other hosts are fetched. */
export const IMAGE_PROXY_PATH = "/image-proxy";

/** Holds the ticket with which a page's `img` elements, which send no token, may have pictures fetched. */
export const PICTURE_COOKIE = new RefreshCookie("portico_pictures", IMAGE_PROXY_PATH);

/** The cookie for a member who has signed in, as good as the access token; none while there is no image proxy. */
export function givePictureCookie(
  { config, clock, secretBox }: { config: Config; clock: { now(): number }; secretBox: SecretBox },
  setCookie: (cookie: string) => void,
  userId: string,
  expiresAt: number,
): void {
  if (!config.web.imageProxy) return;
  const ticket = new PictureTickets(secretBox).issue(userId, expiresAt);
  setCookie(PICTURE_COOKIE.holding(ticket, expiresAt - clock.now()));
}
