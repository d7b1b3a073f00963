// Runs a program for WASI (preview 1) in Node: `node wasi.mjs program.wasm arguments`. The whole
// file system is its own, because a test looks for its vectors where the sources lie.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [, , program, ...args] = process.argv;
const wasi = new WASI({ version: "preview1", args: [program, ...args], env: process.env, preopens: { "/": "/" } });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
