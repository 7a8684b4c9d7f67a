/** The transaction lane of an application's deliveries: its claims and outcomes share transactions. */
export function laneOf(appId: string): string {
  return `deliveries:${appId}`;
}
