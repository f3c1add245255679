/** Remembers the quotas of tenants for later processes of this user. */
import { cacheFolder } from "./cache-folder";
import { cacheNote } from "./cache-notes";

export function quotaNotes(tenant: string, folderOf = () => cacheFolder("quota", process.env)) {
  return cacheNote(tenant, "quotas.json", folderOf);
}
