/** The curated lists of clients that the service maintains. The service may add lists. */
export const curatedLists = [
  "auth0.low_reputation",
  "auth0.icloud_relay_proxy",
  "auth0.proxy",
  "auth0.tor",
  "auth0.vpn",
];
