/** What a configured provider process remembers while Terraform goes through one plan or apply. */
import { setTimeout as sleep } from "node:timers/promises";

/** Who stands behind a claim: the same object may claim again. */
export interface Holder {
  /** Id on the service; undefined for one that is yet to be made. */
  readonly id?: string;
  /** How people call it in a sentence. */
  readonly title: string;
  /** It gets along with others who say the same. */
  readonly shared?: boolean;
}

export interface Session<Client> {
  /** Undefined while what it needs is not known. */
  readonly client: Client | undefined;
  /**
   * Says that something of which there can be one belongs to the holder, and gives back who claimed it before, unless
   * that is the same object or both share.
   */
  claim(key: string, holder: Holder): Holder | undefined;
  /** True the first time for a key. */
  first(key: string): boolean;
  /** Whether anything was applied: then what goes and what comes is no longer a plan to be weighed. */
  readonly applying: boolean;
  /** Notes that something is being applied. */
  begin(): void;
  /** Notes that Terraform has asked for something. */
  touch(): void;
  /**
   * Waits until Terraform has asked for nothing for a moment: what it plans in parallel has then all been seen. Terraform
   * asks for up to ten things at a time and never says which is the last.
   */
  settled(): Promise<void>;
}

/** Milliseconds of silence that count as settled, and the longest wait for them. */
const quiet = 200;
const patience = 5_000;

export function openSession<Client>(client: Client | undefined, now: () => number = Date.now): Session<Client> {
  const claims = new Map<string, Holder>();
  const seen = new Set<string>();
  let touched = now();
  let applying = false;
  return {
    client,
    get applying() {
      return applying;
    },
    begin() {
      applying = true;
    },
    claim(key, holder) {
      const before = claims.get(key);
      if (!before) claims.set(key, holder);
      const same = before?.id !== undefined && before.id === holder.id;
      return same || (before?.shared && holder.shared) ? undefined : before;
    },
    first(key) {
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    },
    touch() {
      touched = now();
    },
    async settled() {
      const deadline = now() + patience;
      for (let rest = quiet; rest > 0 && now() < deadline; rest = touched + quiet - now()) await sleep(rest);
    },
  };
}
