/** By the name of the case: `level CODE address | words of the sentence`, the worst first. */
export const truth: Readonly<Record<string, readonly string[]>> = {
  "users deleted": [
    'critical TNF-USERS-DELETED auth0_connection.users | "Users" and all its users',
    'high TNF-CALLBACK-REMOVED auth0_client.shop | "https://old.example/cb"',
    'high TNF-APP-STOPS auth0_client.shop | "authorization_code"',
  ],
  "users renamed": ['critical TNF-USERS-DELETED auth0_connection.users | "Users" with all | "Customers"'],
};
