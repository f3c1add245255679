/** Reads the stacks of a folder such as cdktf.out from the manifest that CDKTF writes at synth. */
import { isRecord, jsonIn } from "../../formats/text/record";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { UserError } from "../../formats/text/user-error";

export interface Stacks {
  /** Whether a manifest lists the stacks. */
  readonly areListed: boolean;
  readonly stacks: readonly Stack[];
}

export interface Stack {
  readonly name: string;
  readonly folder: string;
  /** Whether its configuration may hold objects of a tenant. */
  readonly mayConcern: boolean;
}

/** Reads the manifest, because a folder may be left over from a stack that nothing applies any more. */
export function stacksIn(folder: string): Stacks {
  const stacks = path.join(folder, "stacks");
  const manifest = path.join(folder, "manifest.json");
  if (!existsSync(stacks)) return { areListed: false, stacks: [] };
  if (!existsSync(manifest)) {
    const names = readdirSync(stacks).toSorted();
    // Without a manifest, it is not known which of these folders are stacks.
    const found = names.map((name) => ({ name, folder: path.join(stacks, name), mayConcern: false }));
    return { areListed: false, stacks: found };
  }
  const listed = listedIn(manifest).map(({ name, workingDirectory }) => {
    const own = folderWithin(folder, workingDirectory, `${manifest} has the stack ${JSON.stringify(name)}`);
    return { name, folder: own, mayConcern: mayConcern(own) };
  });
  const isFirst = ({ folder: own }: Stack, index: number) => listed.findIndex((one) => one.folder === own) === index;
  return { areListed: true, stacks: listed.filter(isFirst) };
}

interface Listed {
  readonly name: string;
  readonly workingDirectory: string;
}

function listedIn(manifest: string): Listed[] {
  const wrong = (what: string) =>
    new UserError(`${manifest} ${what}, so the stacks are not known: run \`cdktf synth\` (or \`cdktf diff\`) again.`);
  // A link to a device would never end.
  const read = statSync(manifest).isFile() ? jsonIn(readFileSync(manifest, "utf8")) : undefined;
  if (read === undefined) throw wrong("cannot be read as JSON");
  const stacks = (read as { readonly stacks?: unknown } | null)?.stacks;
  if (!isRecord(stacks)) throw wrong("does not list stacks");
  return Object.entries(stacks).map(([name, stack]) => {
    const directory = isRecord(stack) ? stack["workingDirectory"] : undefined;
    if (typeof directory !== "string" || directory === "") {
      throw wrong(`has no workingDirectory for the stack ${JSON.stringify(name)}`);
    }
    return { name, workingDirectory: directory };
  });
}

/** Refuses a path that leads out of the folder, by its name or through a link. */
function folderWithin(folder: string, directory: string, whose: string): string {
  const own = path.resolve(folder, directory);
  const isOutside =
    path.isAbsolute(directory) || path.win32.isAbsolute(directory) || leadsOutOf(path.resolve(folder), own);
  const files = [own, ...["plan", "plan.json", "cdk.tf.json"].map((file) => path.join(own, file))].filter((file) =>
    existsSync(file),
  );
  if (!isOutside && files.every((file) => !leadsOutOf(realpathSync(folder), realpathSync(file)))) return own;
  throw new UserError(
    `${whose} in ${JSON.stringify(directory)}, which is outside ${folder}: only stacks below it are read.`,
  );
}

const leadsOutOf = (folder: string, file: string) => {
  const [first] = path.relative(folder, file).split(path.sep);
  return first === ".." || first === "" || path.isAbsolute(path.relative(folder, file));
};

/** A stack without a resource of a tenant and without modules has nothing to review. */
function mayConcern(folder: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(tf|tofu)(\.json)?$/.test(name)) : [];
  return names.length === 0 || names.some((name) => namesTenant(path.join(folder, name)));
}

/** A file that cannot be read may name any resource, and so may HCL with escapes. */
function namesTenant(file: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return true;
  const text = readFileSync(file, "utf8");
  const names = (read: string) => /\b(tenant|auth0)_|\bmodule\b/.test(read);
  if (!file.endsWith(".json")) return names(text) || /\\u/i.test(text);
  const read = jsonIn(text);
  return read === undefined || names(JSON.stringify(read));
}
