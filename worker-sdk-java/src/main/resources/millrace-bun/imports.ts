// Prints what the files in its arguments import, as a list in JSON. Nothing of them is executed.

const LOADERS: Record<string, "ts" | "tsx" | "jsx"> = { ts: "ts", mts: "ts", cts: "ts", tsx: "tsx" };
const SCANNED = /\.[cm]?[jt]sx?$/;

const found = new Set<string>();
for (const file of Bun.argv.slice(2).filter((path) => SCANNED.test(path))) {
  const loader = LOADERS[file.slice(file.lastIndexOf(".") + 1)] ?? "jsx";
  try {
    for (const { path } of new Bun.Transpiler({ loader }).scanImports(await Bun.file(file).text())) found.add(path);
  } catch {
    // The process that loads the file shows the error.
  }
}
console.log(JSON.stringify([...found].sort()));
