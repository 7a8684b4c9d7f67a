/** Where a browser goes to sign in with a company's provider, and where the provider sends it back to. Neither answers JSON. */
export const SIGN_IN_PAGES = {
  members: { start: "/api/client/v1/auth/oidc/start", callback: "/api/client/v1/auth/oidc/callback" },
  developers: {
    start: "/api/open/console/v1/auth/oidc/start",
    callback: "/api/open/console/v1/auth/oidc/callback",
  },
} as const;
