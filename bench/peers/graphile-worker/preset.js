// The two measured configurations of graphile-worker: its default, and tuned as its documentation advises.
"use strict";

const { Logger } = require("graphile-worker");

const CONCURRENT_JOBS = 24;
const QUIET = new Logger(() => () => {});

exports.preset = function preset(mode) {
  const worker = {
    connectionString: process.env.DATABASE_URL,
    concurrentJobs: CONCURRENT_JOBS,
    maxPoolSize: CONCURRENT_JOBS + 1,
    logger: QUIET,
  };
  switch (mode) {
    case "default":
      return { worker };
    case "tuned":
      return {
        worker: { ...worker, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      };
    default:
      throw new Error(`mode: ${mode} (expected: default or tuned)`);
  }
};
