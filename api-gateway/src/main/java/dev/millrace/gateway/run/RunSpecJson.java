package dev.millrace.gateway.run;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.common.v1.RetryPolicy;
import dev.millrace.proto.run.v1.JobLimit;
import dev.millrace.proto.run.v1.RunSpec;

/** Writes what schedules and triggers start, in the words in which {@link Submissions#ONE} reads it. */
public final class RunSpecJson {
    private RunSpecJson() {}

    public static void write(JsonWriter json, RunSpec run) {
        json.object("target", target -> RunTargets.write(target, run.getTarget()));
        json.raw("input", run.getInput());
        json.optionalText("tag", run.getTag());
        optional(json, "priority", run.getPriority());
        if (run.hasTimeout()) {
            json.duration("timeout", run.getTimeout());
        }
        if (run.hasRetry()) {
            json.object("retry", retry -> write(retry, run.getRetry()));
        }
        json.raw("env", run.getEnv());
        if (run.hasStartWithin()) {
            json.duration("start_within", run.getStartWithin());
        }
        if (run.hasLimit()) {
            json.object("limit", limit -> write(limit, run.getLimit()));
        }
    }

    private static void write(JsonWriter json, RetryPolicy retry) {
        optional(json, "max_retries", retry.getMaxRetries());
        if (retry.hasDelay()) {
            json.duration("delay", retry.getDelay());
        }
        optional(json, "multiplier", retry.getMultiplier());
        if (retry.hasMaxDelay()) {
            json.duration("max_delay", retry.getMaxDelay());
        }
        optional(json, "jitter", retry.getJitter());
        if (retry.getPhasesCount() > 0) {
            json.array("phases", retry.getPhasesList(), RunSpecJson::write);
        }
    }

    private static void write(JsonWriter json, RetryPolicy.Phase phase) {
        if (phase.getShape() != RetryPolicy.Phase.Shape.SHAPE_UNSPECIFIED) {
            json.text("shape", EnumNames.json(phase.getShape(), "SHAPE_"));
        }
        json.integer("max_retries", phase.getMaxRetries());
        if (phase.hasDelay()) {
            json.duration("delay", phase.getDelay());
        }
        optional(json, "factor", phase.getFactor());
    }

    private static void write(JsonWriter json, JobLimit limit) {
        json.optionalText("key", limit.getKey());
        optional(json, "max", limit.getMax());
        if (limit.hasRate()) {
            json.object("rate", rate -> {
                rate.integer("count", limit.getRate().getCount());
                rate.duration("per", limit.getRate().getPer());
            });
        }
    }

    private static void optional(JsonWriter json, String name, int value) {
        if (value != 0) {
            json.integer(name, value);
        }
    }

    private static void optional(JsonWriter json, String name, double value) {
        if (value != 0) {
            json.number(name, value);
        }
    }
}
