// latency.js MODE JOBS PER_SECOND: adds jobs at a fixed rate, without waiting for earlier ones. Prints one JSON object.
"use strict";

const { run, runMigrations } = require("graphile-worker");
const { Pool } = require("pg");
const { preset } = require("./preset");

const WARM_UP_JOBS = 300;

function percentile(sorted, percent) {
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1];
}

async function send(pool, jobs, perSecond, delays) {
  const start = performance.now();
  const added = [];
  for (let i = 0; i < jobs; i++) {
    const due = start + (i * 1000) / perSecond;
    while (performance.now() < due) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    }
    added.push(
      pool.query("select graphile_worker.add_job('clock', json_build_object('sent', $1::float8))", [performance.now()]),
    );
  }
  await Promise.all(added);
  while (delays.length < jobs) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function main(mode, jobs, perSecond) {
  const options = { preset: preset(mode) };
  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  await runMigrations(options);
  let delays = [];
  const runner = await run({
    ...options,
    taskList: { clock: ({ sent }) => void delays.push(performance.now() - sent) },
  });
  await send(pool, WARM_UP_JOBS, perSecond, delays);
  delays = [];
  await send(pool, jobs, perSecond, delays);
  const calls = delays.length;
  delays.sort((a, b) => a - b);
  await runner.stop();
  await pool.end();
  console.log(
    JSON.stringify({ calls, start_p50_ms: percentile(delays, 50), start_p99_ms: percentile(delays, 99) }),
  );
}

main(process.argv[2], Number(process.argv[3]), Number(process.argv[4]));
