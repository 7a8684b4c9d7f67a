/** The lane of an application's deliveries: its claims and outcomes go in transactions together. */
export function laneOf(appId: string): string {
  return `deliveries:${appId}`;
}
