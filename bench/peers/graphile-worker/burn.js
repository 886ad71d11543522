// burn.js MODE JOBS: queues jobs, then runs them with a no-op task. Prints one JSON object.
"use strict";

const { run, runMigrations } = require("graphile-worker");
const { Pool } = require("pg");
const { preset } = require("./preset");

const POLL_MILLIS = 20;
const BATCH = 1000;

/** Queues in batches: a call for each job would search all jobs so far each time. */
async function add(pool, jobs) {
  for (let first = 1; first <= jobs; first += BATCH) {
    await pool.query(
      `select graphile_worker.add_jobs(array(
         select row('noop', json_build_object('n', n), null, null, null, null, null, null)::graphile_worker.job_spec
         from generate_series($1::int, $2::int) n))`,
      [first, Math.min(first + BATCH - 1, jobs)],
    );
  }
}

async function main(mode, jobs) {
  const options = { preset: preset(mode) };
  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  await runMigrations(options);
  const submitted = performance.now();
  await add(pool, jobs);
  const submitSeconds = (performance.now() - submitted) / 1000;

  let calls = 0;
  let first = 0;
  const runner = await run({
    ...options,
    taskList: {
      noop: () => {
        if (calls++ === 0) first = performance.now();
      },
    },
  });
  for (;;) {
    if (calls >= jobs) {
      const { rows } = await pool.query("select exists (select 1 from graphile_worker._private_jobs) as some");
      if (!rows[0].some) break;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
  }
  const seconds = (performance.now() - first) / 1000;
  await runner.stop();
  await pool.end();
  console.log(JSON.stringify({ calls, jobs_per_second: jobs / seconds, submitted_per_second: jobs / submitSeconds }));
}

main(process.argv[2], Number(process.argv[3]));
