/** The address of the service, and a developer's login to its console. */
export interface DeveloperLogin {
  baseUrl: string;
  phone: string;
  password: string;
  channelId: number;
  /** Of the second factor; undefined: asked for if need be. */
  code?: string | undefined;
}
