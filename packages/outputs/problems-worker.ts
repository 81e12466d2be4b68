import { parentPort, workerData } from 'node:worker_threads';
import { findProblems, type ProblemsTask } from './find-problems.ts';

parentPort?.postMessage(findProblems(workerData as ProblemsTask));
