#!/usr/bin/env node
import { runCommandLine } from './command-line/run-command-line.ts';

const { stdin, stdout, stderr } = process;
process.exitCode = await runCommandLine(process.argv.slice(2), { env: process.env, stdin, stdout, stderr });
