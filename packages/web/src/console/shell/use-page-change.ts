import { type RefObject, useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";

/**
 * Begins a page that was gone to at its top, as the browser does where pages are loaded, and gives its content the focus
 * where what had it is gone. On the way back, the browser returns to where one was. React Router's own way would keep
 * places in storage.
 */
export function usePageChange(content: RefObject<HTMLElement | null>): void {
  const { pathname, hash } = useLocation();
  const how = useNavigationType();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (how !== "POP" && hash === "") scrollTo(0, 0);
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [pathname, hash, how, content]);
}
