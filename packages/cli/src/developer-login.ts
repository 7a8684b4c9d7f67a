/** The address of the service, and a developer's login to its console. */
export interface DeveloperLogin {
  baseUrl: string;
  phone: string;
  password: string;
  channelId: number;
}
