/** Whether the compiler would take a source as it was altered. */
import path from "node:path";
import ts from "typescript";

interface Service {
  readonly language: ts.LanguageService;
  put(file: string, text: string): void;
}

let service: Service | undefined;

function open(project: string): Service {
  const { config } = ts.readConfigFile(path.join(project, "tsconfig.json"), (file) => ts.sys.readFile(file));
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, project);
  const altered = new Map<string, { text: string; version: number }>();
  const language = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => String(altered.get(file)?.version ?? 0),
    getScriptSnapshot(file) {
      const text = altered.get(file)?.text ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => project,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (file) => ts.sys.fileExists(file),
    readFile: (file) => ts.sys.readFile(file),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  });
  return {
    language,
    put: (file, text) => void altered.set(file, { text, version: (altered.get(file)?.version ?? 0) + 1 }),
  };
}

export function compiles(project: string, file: string, text: string): boolean {
  const { language, put } = (service ??= open(project));
  const name = path.join(project, file);
  const original = ts.sys.readFile(name)!;
  put(name, text);
  try {
    return language.getSyntacticDiagnostics(name).length + language.getSemanticDiagnostics(name).length === 0;
  } finally {
    put(name, original);
  }
}
