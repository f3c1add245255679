/** Requests tokens from a tenant like any other client. */

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The form that requests a token. */
export const grantForm = ({ clientId, clientSecret }: Client, audience = "/api/v2/") => ({
  grant_type: "client_credentials",
  client_id: clientId,
  client_secret: clientSecret,
  audience,
});

/** A token of the tenant at `root`. */
export async function tokenOf(root: string, client: Client, ask: typeof fetch = fetch): Promise<string> {
  const answer = await ask(`${root}/oauth/token`, { method: "POST", body: new URLSearchParams(grantForm(client)) });
  if (answer.status !== 200) throw new Error(`${root} grants no token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}
