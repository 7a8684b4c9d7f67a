import { PictureTickets } from "../../domain/pictures/picture-tickets.ts";
import type { Config } from "../../platform/config/config.ts";
import type { SecretBox } from "../../platform/crypto/secret-box.ts";
import type { RouteParts } from "./parts.ts";
import { TokenCookie } from "./token-cookie.ts";

/** Where pictures of other hosts are fetched. */
export const IMAGE_PROXY_PATH = "/image-proxy";

/** Holds the ticket with which a page's `img` elements, which send no token, may have pictures fetched. */
export const MEMBER_PICTURES = new TokenCookie("portico_pictures", IMAGE_PROXY_PATH);
/** The same for the console, whose host may be that of the other pages. */
export const DEVELOPER_PICTURES = new TokenCookie("portico_console_pictures", IMAGE_PROXY_PATH);

interface PictureCookieParts extends RouteParts {
  config: Config;
  secretBox: SecretBox;
}

/** Sets the cookie of somebody who has signed in, as good as the access token; none while there is no image proxy. */
export function setPictureCookie(
  { config, clock, secretBox }: PictureCookieParts,
  cookie: TokenCookie,
  { accessToken, expiresAt }: { accessToken: string; expiresAt: number },
  setCookie: (header: string) => void,
): void {
  if (!config.web.imageProxy) return;
  setCookie(cookie.holding(new PictureTickets(secretBox).issue(accessToken), expiresAt - clock.now()));
}
