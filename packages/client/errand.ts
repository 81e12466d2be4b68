#!/usr/bin/env node
import { exitCodes } from './command-line/exit-codes.ts';
import { runCommandLine } from './command-line/run-command-line.ts';

const { stdin, stdout, stderr } = process;
const exitCode = await runCommandLine(process.argv.slice(2), { env: process.env, stdin, stdout, stderr });
// What was interrupted may still wait for a service that says nothing.
if (exitCode === exitCodes.interrupted) process.exit(exitCode);
process.exitCode = exitCode;
