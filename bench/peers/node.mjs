// Peers that are npm packages: gemini-cli's edit tool and cline's apply_patch and editor. Same protocol as serving.py.
//   node node.mjs <peer> <node_modules>
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [peer, modules] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(join(modules, file)).href);

function pairs(reply) {
  const said = JSON.parse(reply.slice(reply.indexOf("{"), reply.lastIndexOf("}") + 1));
  return (said.arguments ?? said).edits.map((edit) => [edit.oldText, edit.newText]);
}

// Everything the tool asks its host for; its second opinion from a model stays off.
function host(file) {
  const known = {
    getFileSystemService: () => ({ readTextFile: async () => file.text, writeTextFile: async (_, text) => { file.text = text; } }),
    getTargetDir: () => ".", getDisableLLMCorrection: () => true, validatePathAccess: () => null, isPlanMode: () => false,
    getWorkspaceContext: () => ({ isPathWithinWorkspace: () => true, getDirectories: () => ["."] }),
  };
  return new Proxy(known, { get: (target, key) => target[key] ?? (typeof key === "symbol" ? undefined : () => undefined) });
}

async function gemini() {
  const { EditTool } = await load("@google/gemini-cli-core/dist/src/tools/edit.js");
  return async ({ original, response, path }) => {
    const file = { text: original };
    for (const [old, fresh] of pairs(response)) {
      const tool = new EditTool(host(file), { publish() {}, subscribe() {}, unsubscribe() {} });
      const call = tool.build({ file_path: path, old_string: old, new_string: fresh, instruction: "edit" });
      const done = await call.execute({ abortSignal: new AbortController().signal });
      if (done.error) throw new Error(done.error.message);
    }
    return file.text;
  };
}

async function cline() {
  const { createApplyPatchExecutor, createEditorExecutor } = await load("@cline/core/dist/index.js");
  const [patch, editor] = [createApplyPatchExecutor(), createEditorExecutor()];
  return async ({ original, response, format, path }) => {
    const root = mkdtempSync(join(tmpdir(), "cline-"));
    try {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), original);
      if (format === "apply_patch") await patch({ input: response }, root, {});
      else for (const [old, fresh] of pairs(response)) await editor({ path, old_text: old, new_text: fresh }, root, {});
      return readFileSync(join(root, path), "utf8");
    } finally {
      rmSync(root, { recursive: true });
    }
  };
}

const answer = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const apply = await { gemini, cline }[peer]();
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const asked = JSON.parse(line);
  const began = process.cpuUsage();
  let said;
  try {
    said = { status: "applied", content: await apply(asked) };
  } catch (error) {
    said = { status: "refused", error: String(error).slice(0, 300) };
  }
  const { user, system } = process.cpuUsage(began);
  answer(JSON.stringify({ id: asked.id, ...said, ms: (user + system) / 1000 }) + "\n");
}
