package dev.millrace.gateway.run;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.problem.Problem;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.proto.common.v1.RetryPolicy;
import dev.millrace.proto.run.v1.JobLimit;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget.TargetCase;
import dev.millrace.proto.run.v1.SubmitRunsRequest;
import java.io.IOException;

/** Parses submissions. The input is copied as bytes. */
public final class Submissions {

    private static final JsonFields<RetryPolicy.Phase.Builder> PHASE = new JsonFields<RetryPolicy.Phase.Builder>()
            .field("shape", (json, phase) -> phase.setShape(shape(json)))
            .field("max_retries", (json, phase) -> phase.setMaxRetries(json.integer()))
            .field("delay", (json, phase) -> phase.setDelay(json.duration()))
            .field("factor", (json, phase) -> phase.setFactor(json.number()));

    static final JsonFields<RetryPolicy.Builder> RETRY = new JsonFields<RetryPolicy.Builder>()
            .field("max_retries", (json, retry) -> retry.setMaxRetries(json.integer()))
            .field("delay", (json, retry) -> retry.setDelay(json.duration()))
            .field("multiplier", (json, retry) -> retry.setMultiplier(json.number()))
            .field("max_delay", (json, retry) -> retry.setMaxDelay(json.duration()))
            .field("jitter", (json, retry) -> retry.setJitter(json.number()))
            .field("phases", (json, retry) -> json.items(() -> json.object(PHASE, retry.addPhasesBuilder())));

    private static final JsonFields<JobLimit.Rate.Builder> RATE = new JsonFields<JobLimit.Rate.Builder>()
            .field("count", (json, rate) -> rate.setCount(json.integer()))
            .field("per", (json, rate) -> rate.setPer(json.duration()));

    private static final JsonFields<JobLimit.Builder> LIMIT = new JsonFields<JobLimit.Builder>()
            .field("key", (json, limit) -> limit.setKey(json.text()))
            .field("max", (json, limit) -> limit.setMax(json.integer()))
            .field("rate", (json, limit) -> json.object(RATE, limit.getRateBuilder()));

    public static final JsonFields<RunSpec.Builder> ONE = new JsonFields<RunSpec.Builder>()
            .field("target", (json, spec) -> json.object(RunTargets.FIELDS, spec.getTargetBuilder()))
            .field("input", (json, spec) -> spec.setInput(json.rawObject()))
            .field("tag", (json, spec) -> spec.setTag(json.text()))
            .field("priority", (json, spec) -> spec.setPriority(json.integer()))
            .field("run_after", (json, spec) -> spec.setRunAfter(json.time()))
            .field("timeout", (json, spec) -> spec.setTimeout(json.duration()))
            .field("retry", (json, spec) -> json.object(RETRY, spec.getRetryBuilder()))
            .field("env", (json, spec) -> spec.setEnv(json.rawObject()))
            .field("start_within", (json, spec) -> spec.setStartWithin(json.duration()))
            .field("limit", (json, spec) -> json.object(LIMIT, spec.getLimitBuilder()));

    static final JsonFields<SubmitRunsRequest.Builder> MANY = new JsonFields<SubmitRunsRequest.Builder>()
            .field("items", (json, batch) -> json.items(() -> json.object(ONE, batch.addSpecsBuilder())));

    private Submissions() {}

    private static RetryPolicy.Phase.Shape shape(JsonReader json) throws IOException {
        var name = json.text();
        return EnumNames.parse(RetryPolicy.Phase.Shape.class, "SHAPE_", name)
                .orElseThrow(() -> json.wrong("is \"" + name + "\" (expected: "
                        + EnumNames.known(RetryPolicy.Phase.Shape.class, "SHAPE_") + ")"));
    }

    /** The spec, which must have a target. */
    public static RunSpec checked(RunSpec.Builder spec, String place) {
        if (spec.getTarget().getTargetCase() == TargetCase.TARGET_NOT_SET) {
            throw new ProblemException(Problem.invalidField(
                    place + "target", "is missing (expected: one of script, script_hash, flow, flow_hash, handler)"));
        }
        return spec.build();
    }
}
