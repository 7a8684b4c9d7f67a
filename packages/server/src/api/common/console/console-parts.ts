import type { AppDirectory } from "../../../domain/applications/app-directory.ts";
import type { RequestLog } from "../../../domain/requests/request-log.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { RouteParts } from "../parts.ts";

/** To change an application, of which others hold a copy. */
export interface AppParts extends RouteParts {
  apps: AppDirectory;
}

/** To know the limits that the operator has configured. */
export interface LimitParts extends RouteParts {
  config: Config;
}

/** To look up calls. */
export interface RequestLogParts extends RouteParts {
  requestLog: RequestLog;
}

/** To count calls, and compare them with the limits. */
export interface StatsParts extends RequestLogParts, LimitParts {}
