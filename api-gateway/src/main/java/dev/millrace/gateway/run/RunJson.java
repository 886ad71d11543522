package dev.millrace.gateway.run;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.run.v1.Iteration;
import dev.millrace.proto.run.v1.IterationCounts;
import dev.millrace.proto.run.v1.ListIterationsResponse;
import dev.millrace.proto.run.v1.ListRunsResponse;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunResponse;

/** Writes runs and steps as JSON. */
public final class RunJson {

    private RunJson() {}

    public static void run(JsonWriter json, Run run) {
        json.text("id", run.getId());
        json.text("name", run.getName());
        json.text("workspace", run.getWorkspace());
        json.object("target", target -> RunTargets.write(target, run.getTarget()));
        json.text("state", EnumNames.json(run.getState(), "STATE_"));
        if (run.getPaused()) {
            json.flag("paused", true);
        }
        if (!run.getWaitReason().isEmpty()) {
            json.text("wait_reason", run.getWaitReason());
        }
        if (run.hasOrigin()) {
            json.object("origin", origin -> {
                origin.text("run_id", run.getOrigin().getRunId());
                origin.text("relation", EnumNames.json(run.getOrigin().getRelation(), "RELATION_"));
                origin.text("step", run.getOrigin().getStep());
            });
        }
        if (!run.getStartedBy().isEmpty()) {
            json.text("started_by", run.getStartedBy());
        }
        if (run.hasTrigger()) {
            json.object("trigger", trigger -> {
                trigger.text("kind", run.getTrigger().getKind());
                trigger.text("path", run.getTrigger().getPath());
            });
        }
        json.raw("input", run.getInput());
        json.raw("env", run.getEnv());
        if (run.hasStartWithin()) {
            json.duration("start_within", run.getStartWithin());
        }
        json.raw("progress", run.getProgress());
        json.raw("output", run.getOutput());
        if (run.hasError()) {
            json.object("error", error -> error(error, run.getError()));
        }
        if (run.getFromCache()) {
            json.flag("from_cache", true);
        }
        json.time("create_time", run.getCreateTime());
        json.time("start_time", run.getStartTime());
        json.time("end_time", run.getEndTime());
        if (run.hasWaitDuration()) {
            json.duration("wait_duration", run.getWaitDuration());
        }
        if (run.hasRunDuration()) {
            json.duration("run_duration", run.getRunDuration());
        }
    }

    /**
     * Writes a page of runs. The time down to which a search has looked is absent if the search is complete or examines
     * no payloads.
     */
    static void page(JsonWriter json, ListRunsResponse answer) {
        json.array("items", answer.getRunsList(), RunJson::run);
        json.text("next_page_token", answer.getNextPageToken());
        json.time("searched_back_to", answer.getSearchedBackTo());
        if (answer.hasCount()) {
            json.object("count", count -> {
                count.integer("runs", answer.getCount().getRuns());
                count.flag("capped", answer.getCount().getCapped());
            });
        }
    }

    /** Writes the run, and the early result that its flow returns to a waiting caller. */
    static void answer(JsonWriter json, SubmitRunResponse answer) {
        run(json, answer.getRun());
        if (answer.hasEarlyReturn()) {
            json.object("early_return", early -> {
                early.text("step", answer.getEarlyReturn().getStep());
                early.raw("result", answer.getEarlyReturn().getResult());
            });
        }
    }

    static void step(JsonWriter json, Step step) {
        json.text("job_id", step.getJobId());
        json.text("key", step.getKey());
        json.text("kind", EnumNames.json(step.getKind(), "KIND_"));
        json.text("state", EnumNames.json(step.getState(), "STATE_"));
        json.integer("attempt", step.getAttempt());
        json.raw("input", step.getInput());
        json.raw("progress", step.getProgress());
        json.raw("result", step.getResult());
        if (step.hasError()) {
            json.object("error", error -> error(error, step.getError()));
        }
        json.time("create_time", step.getCreateTime());
        json.time("start_time", step.getStartTime());
        json.time("end_time", step.getEndTime());
        if (step.hasWaitDuration()) {
            json.duration("wait_duration", step.getWaitDuration());
        }
        if (step.hasRunDuration()) {
            json.duration("run_duration", step.getRunDuration());
        }
        json.text("worker", step.getWorker());
        if (!step.getChildRunId().isEmpty()) {
            json.text("child_run_id", step.getChildRunId());
        }
        if (step.getFromCache()) {
            json.flag("from_cache", true);
        }
        if (step.getErased()) {
            json.flag("erased", true);
        }
        if (step.hasIterations()) {
            json.object("iterations", counts -> counts(counts, step.getIterations()));
        }
    }

    /** Writes a page of iterations, with all iterations of the loop by their states. */
    static void iterations(JsonWriter json, ListIterationsResponse answer) {
        json.array("items", answer.getIterationsList(), RunJson::iteration);
        json.text("next_page_token", answer.getNextPageToken());
        json.object("counts", counts -> counts(counts, answer.getCounts()));
    }

    private static void iteration(JsonWriter json, Iteration iteration) {
        json.integer("number", iteration.getNumber());
        json.text("key", iteration.getKey());
        json.text("state", EnumNames.json(iteration.getState(), "STATE_"));
        json.time("create_time", iteration.getCreateTime());
        json.time("start_time", iteration.getStartTime());
        json.time("end_time", iteration.getEndTime());
    }

    private static void counts(JsonWriter json, IterationCounts counts) {
        if (counts.getTotal() > 0) {
            json.integer("total", counts.getTotal());
        }
        json.integer("queued", counts.getQueued());
        json.integer("running", counts.getRunning());
        json.integer("succeeded", counts.getSucceeded());
        json.integer("failed", counts.getFailed());
        json.integer("canceled", counts.getCanceled());
        json.integer("skipped", counts.getSkipped());
        if (counts.getOnlyLive()) {
            json.flag("only_live", true);
        }
    }

    private static void error(JsonWriter json, JobError error) {
        json.text("name", error.getName());
        json.text("message", error.getMessage());
        json.text("stack", error.getStack());
        json.flag("retryable", error.getRetryable());
    }
}
